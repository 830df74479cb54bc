import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { passwordProblem, useResetPassword } from '../../api/account/password.ts';
import { AuthForm } from '../../components/AuthForm.tsx';
import { AuthPage } from '../../components/AuthPage.tsx';
import { PasswordTwice } from '../../components/PasswordTwice.tsx';
import { newPasswordForm } from '../../lib/new-password-forms.ts';
import { useLinkSecret } from '../../lib/link-secret.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { textLink } from '../../ui/text-link.ts';
import { toast } from '../../ui/toast.tsx';

export function ResetPasswordPage() {
  const resetKey = useLinkSecret();
  if (resetKey === undefined) return <LinkNeeded />;
  return (
    <AuthPage
      title="Reset Password"
      intro="Choose the password you sign in with from now on. Your API key changes too."
      footer={<ToNewLink />}
    >
      {/* A different link starts a new attempt. */}
      <ResetForm key={resetKey} resetKey={resetKey} />
    </AuthPage>
  );
}

function LinkNeeded() {
  return (
    <AuthPage
      title="Reset Password"
      intro="This page opens from the link in our email. Follow the link in the newest one, or have another one sent."
    >
      <ButtonLink to="/forget-password" variant="primary" size="l" className="w-full">
        Send a new link
      </ButtonLink>
    </AuthPage>
  );
}

function ToNewLink() {
  return (
    <>
      The link is too old or used already?{' '}
      <Link to="/forget-password" className={textLink}>
        Send a new link
      </Link>
    </>
  );
}

function ResetForm({ resetKey }: { readonly resetKey: string }) {
  const { form, error, busy, submit } = useResetForm(resetKey);
  const { errors, isValid } = form.formState;
  return (
    <AuthForm
      onSubmit={submit}
      error={error}
      valid={isValid}
      busy={busy}
      submit="Reset Password"
      submitting="Resetting..."
    >
      <PasswordTwice label="New password" form={form} errors={errors} />
    </AuthForm>
  );
}

interface NewPassword {
  readonly password: string;
  readonly password2: string;
}

function useResetForm(resetKey: string) {
  const [error, setError] = useState<string>();
  const reset = useResetPassword();
  const navigate = useNavigate();
  const form = useForm({
    resolver: standardSchemaResolver<NewPassword, unknown, NewPassword>(newPasswordForm),
    mode: 'onChange',
    defaultValues: { password: '', password2: '' },
  });

  const send = async (typed: NewPassword) => {
    setError(undefined);
    try {
      if (!(await reset.mutateAsync({ ...typed, reset_key: resetKey }))) return;
      toast.success('Your password has been successfully reset.');
      // Replaced, because the back button would lead to a form whose key is used up.
      await navigate({ to: '/sign-in', replace: true });
    } catch (failure) {
      const message = passwordProblem(failure, 'Something went wrong. Try again!');
      setError(message);
      toast.error(message);
    }
  };
  return { form, error, busy: reset.isPending, submit: form.handleSubmit(send) };
}

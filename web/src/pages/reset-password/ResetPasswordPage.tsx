import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { passwordProblem, useResetPassword } from '../../api/account/password.ts';
import { AuthForm } from '../../components/AuthForm.tsx';
import { AuthPage, BackToSignIn } from '../../components/AuthPage.tsx';
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
      intro="Choose a new password. This also changes your API key."
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
      intro="Open this page from the link in your latest reset email, or request a new one."
      footer={<BackToSignIn />}
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
      <p>
        Link expired or already used?{' '}
        <Link to="/forget-password" className={textLink}>
          Send a new link
        </Link>
      </p>
      <BackToSignIn />
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
      setError(passwordProblem(failure, 'Something went wrong. Try again!'));
    }
  };
  return { form, error, busy: reset.isPending, submit: form.handleSubmit(send) };
}

import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formErrorMessage } from '../../api/client/errors.ts';
import { type NewAccount, useSignUp } from '../../api/account/sign-up.ts';
import { AuthForm } from '../../components/AuthForm.tsx';
import { AuthPage } from '../../components/AuthPage.tsx';
import { PasswordTwice } from '../../components/PasswordTwice.tsx';
import { signUpForm } from '../../lib/new-password-forms.ts';
import { EmailField } from '../../ui/TextField.tsx';
import { textLink } from '../../ui/text-link.ts';
import { toast } from '../../ui/toast.ts';

export function SignUpPage() {
  const { form, error, busy, submit } = useSignUpForm();
  const { errors, isValid } = form.formState;
  return (
    <AuthPage title="Sign Up" intro="Free space, free API access, a link for every file." footer={<ToSignIn />}>
      <AuthForm onSubmit={submit} error={error} valid={isValid} busy={busy} submit="Sign Up" submitting="Processing...">
        <EmailField error={errors.email?.message} {...form.register('email')} />
        <PasswordTwice label="Password" form={form} errors={errors} />
      </AuthForm>
    </AuthPage>
  );
}

const empty = { email: '', password: '', password2: '' };

function useSignUpForm() {
  const [error, setError] = useState<string>();
  const signUp = useSignUp();
  const navigate = useNavigate();
  const { state } = useLocation();
  const form = useForm({
    resolver: standardSchemaResolver<NewAccount, unknown, NewAccount>(signUpForm),
    mode: 'onChange',
    defaultValues: empty,
  });

  const send = async (account: NewAccount) => {
    setError(undefined);
    try {
      await signUp.mutateAsync(account);
      toast.success('Signup successful! Check your email to verify.');
      await navigate({ to: '/verify-code', state: { ...state, ...justSentTo(account.email) } });
    } catch (failure) {
      const message = formErrorMessage(failure, 'Signup failed. Please try again.');
      setError(message);
      toast.error(message);
    }
  };
  return { form, error, busy: signUp.isPending, submit: form.handleSubmit(send) };
}

/** History state for the page that asks for the code. */
const justSentTo = (email: string) => ({ email, codeSentAt: Date.now() });

function ToSignIn() {
  return (
    <>
      Already have an account?{' '}
      <Link to="/sign-in" className={textLink}>
        Sign In
      </Link>
    </>
  );
}

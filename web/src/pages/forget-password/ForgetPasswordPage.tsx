import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { forgotPasswordForm } from '@holdfast/contract/src/rules.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { passwordProblem, useRequestPasswordReset } from '../../api/account/password.ts';
import { AuthForm } from '../../components/AuthForm.tsx';
import { AuthPage } from '../../components/AuthPage.tsx';
import { isSignUpOpen } from '../../lib/site.ts';
import { EmailField } from '../../ui/TextField.tsx';
import { textLink } from '../../ui/text-link.ts';
import { toast } from '../../ui/toast.tsx';

export function ForgetPasswordPage() {
  const { form, error, sentTo, busy, submit } = useForgotPasswordForm();
  const { errors, isValid } = form.formState;
  return (
    <AuthPage title="Forgot Password" intro={<Intro sentTo={sentTo} />} footer={<ToSignUp />}>
      <AuthForm
        onSubmit={submit}
        error={error}
        valid={isValid}
        busy={busy}
        submit="Forgot Password"
        submitting="Sending Link..."
      >
        <EmailField error={errors.email?.message} {...form.register('email')} />
      </AuthForm>
    </AuthPage>
  );
}

interface ForgotPassword {
  readonly email: string;
}

function useForgotPasswordForm() {
  const [error, setError] = useState<string>();
  const [sentTo, setSentTo] = useState<string>();
  const request = useRequestPasswordReset();
  const form = useForm({
    resolver: standardSchemaResolver<ForgotPassword, unknown, ForgotPassword>(forgotPasswordForm),
    mode: 'onChange',
    defaultValues: { email: '' },
  });

  const send = async ({ email }: ForgotPassword) => {
    setError(undefined);
    try {
      if (!(await request.mutateAsync(email))) return;
      setSentTo(email);
      toast.success('Password reset link sent. Please check your email.');
    } catch (failure) {
      const message = passwordProblem(failure, fallbackMessage(failure));
      setSentTo(undefined);
      setError(message);
      toast.error(message);
    }
  };
  return { form, error, sentTo, busy: request.isPending, submit: form.handleSubmit(send) };
}

/** Fallback message for a refusal without a message. */
function fallbackMessage(failure: unknown): string {
  const refused = failure instanceof CallFailed && failure.problem === 'refused';
  return refused ? 'Reset failed' : 'Something went wrong. Try again!';
}

/** The text is the same for an address without an account, so that it does not reveal which accounts exist. */
function Intro({ sentTo }: { readonly sentTo: string | undefined }) {
  if (sentTo === undefined) return 'Enter your email, and we send you a link for a new password.';
  return (
    <>
      If <strong className="font-medium wrap-anywhere text-ink">{sentTo}</strong> has an account, a link for a new
      password is in its inbox soon. It works once, for 30 minutes.
    </>
  );
}

function ToSignUp() {
  if (!isSignUpOpen) return null;
  return (
    <>
      No account yet?{' '}
      <Link to="/sign-up" className={textLink}>
        Sign Up
      </Link>
    </>
  );
}

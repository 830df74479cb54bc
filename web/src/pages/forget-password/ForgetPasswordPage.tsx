import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { forgotPasswordForm } from '@holdfast/contract/src/rules.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { passwordProblem, useRequestPasswordReset } from '../../api/account/password.ts';
import { AuthForm } from '../../components/AuthForm.tsx';
import { AuthPage, BackToSignIn } from '../../components/AuthPage.tsx';
import { isSignUpOpen } from '../../lib/site.ts';
import { EmailField } from '../../ui/TextField.tsx';
import { takeFocus } from '../../ui/take-focus.ts';
import { textLink } from '../../ui/text-link.ts';
import { toast } from '../../ui/toast.tsx';

export function ForgetPasswordPage() {
  const [email, setEmail] = useState(useLocation().state.email ?? '');
  const [isSent, setSent] = useState(false);
  const onSent = (to: string) => {
    setEmail(to);
    setSent(true);
  };
  // Each takes the focus when it is mounted.
  return isSent ? (
    <LinkSent key="sent" to={email} onRepeat={() => setSent(false)} />
  ) : (
    <AskForLink key="ask" email={email} onSent={onSent} />
  );
}

interface AskForLinkProps {
  readonly email: string;
  readonly onSent: (email: string) => void;
}

function AskForLink(props: AskForLinkProps) {
  const { form, error, busy, submit } = useForgotPasswordForm(props);
  const { errors, isValid } = form.formState;
  return (
    <AuthPage
      title="Forgot Password"
      intro="Enter your email and we'll send you a reset link."
      footer={
        <>
          {isSignUpOpen && <ToSignUp />}
          <BackToSignIn email={form.watch('email')} />
        </>
      }
    >
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

interface LinkSentProps {
  readonly to: string;
  readonly onRepeat: () => void;
}

/** The text is the same for an address without an account, so that it does not reveal which accounts exist. */
function LinkSent({ to, onRepeat }: LinkSentProps) {
  return (
    <AuthPage
      title="Check your email"
      titleRef={takeFocus}
      intro={
        <>
          If <strong className="font-medium wrap-anywhere text-ink">{to}</strong> has an account, a reset link is on its
          way. It works once and expires in 30 minutes.
        </>
      }
      footer={<BackToSignIn email={to} />}
    >
      <p className="text-m text-muted">
        Nothing there? Check your spam folder and the address, or{' '}
        <button type="button" onClick={onRepeat} className={textLink}>
          send another link
        </button>
        .
      </p>
    </AuthPage>
  );
}

interface ForgotPassword {
  readonly email: string;
}

function useForgotPasswordForm({ email: known, onSent }: AskForLinkProps) {
  const [error, setError] = useState<string>();
  const request = useRequestPasswordReset();
  const form = useForm({
    resolver: standardSchemaResolver<ForgotPassword, unknown, ForgotPassword>(forgotPasswordForm),
    mode: 'onChange',
    defaultValues: { email: known },
  });

  const send = async ({ email }: ForgotPassword) => {
    setError(undefined);
    try {
      if (!(await request.mutateAsync(email))) return;
      toast.success('Password reset link sent. Please check your email.');
      onSent(email);
    } catch (failure) {
      setError(passwordProblem(failure, fallbackMessage(failure)));
    }
  };
  return { form, error, busy: request.isPending, submit: form.handleSubmit(send) };
}

/** Fallback message for a refusal without a message. */
function fallbackMessage(failure: unknown): string {
  const refused = failure instanceof CallFailed && failure.problem === 'refused';
  return refused ? 'Reset failed' : 'Something went wrong. Try again!';
}

function ToSignUp() {
  return (
    <p>
      No account yet?{' '}
      <Link to="/sign-up" className={textLink}>
        Sign Up
      </Link>
    </p>
  );
}

import { Link } from '@tanstack/react-router';
import { AuthForm } from '../../layouts/AuthForm.tsx';
import { AuthPage } from '../../layouts/AuthPage.tsx';
import { EmailField } from '../../ui/EmailField.tsx';
import { textLink } from '../../ui/text-link.ts';
import { useForgotPasswordForm } from './use-forgot-password-form.ts';

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

/** Says the same for an address without an account: who has one is nobody else's business. */
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
  return (
    <>
      No account yet?{' '}
      <Link to="/sign-up" className={textLink}>
        Sign Up
      </Link>
    </>
  );
}

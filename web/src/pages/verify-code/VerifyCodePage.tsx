import { Link } from '@tanstack/react-router';
import { useController } from 'react-hook-form';
import { AuthForm } from '../../layouts/AuthForm.tsx';
import { AuthPage } from '../../layouts/AuthPage.tsx';
import { textLink } from '../../ui/text-link.ts';
import { CodeInput } from './CodeInput.tsx';
import { ResendCode } from './ResendCode.tsx';
import { useVerifyForm } from './use-verify-form.ts';

export function VerifyCodePage() {
  const { form, error, attempt, email, codeSentAt, busy, submit } = useVerifyForm();
  const { field, fieldState } = useController({ control: form.control, name: 'code' });
  return (
    <AuthPage title="Verify Email" intro={<Sent to={email} />}>
      <AuthForm
        onSubmit={submit}
        error={error}
        valid={form.formState.isValid}
        busy={busy}
        submit="Verify"
        submitting="Verify"
      >
        {/* Each attempt is a fresh field, which takes the focus. */}
        <CodeInput
          key={attempt}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          disabled={busy}
          error={fieldState.error?.message}
        />
      </AuthForm>
      <ResendCode email={email} sentAt={codeSentAt} />
      <p className="mt-2 text-m text-muted">
        Wrong address?{' '}
        <Link to="/sign-up" className={textLink}>
          Sign up again
        </Link>
      </p>
    </AuthPage>
  );
}

function Sent({ to }: { readonly to: string | undefined }) {
  if (to === undefined) return 'Enter the 6-digit code from the email we sent you.';
  return (
    <>
      Enter the 6-digit code that we sent to <strong className="font-medium wrap-anywhere text-ink">{to}</strong>.
    </>
  );
}

import { AuthForm } from '../../layouts/AuthForm.tsx';
import { PasswordTwice } from '../../layouts/PasswordTwice.tsx';
import { useResetForm } from './use-reset-form.ts';

export function ResetForm({ resetKey }: { readonly resetKey: string }) {
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

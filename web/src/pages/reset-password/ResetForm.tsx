import { AuthForm } from '../../layouts/AuthForm.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useResetForm } from './use-reset-form.ts';

export function ResetForm({ resetKey }: { readonly resetKey: string }) {
  const { form, error, busy, submit } = useResetForm(resetKey);
  const { errors, isValid } = form.formState;
  // A changed password can make a typed confirmation right or wrong; an empty one is not scolded yet.
  const checkConfirmation = () => form.getValues('password2') !== '' && void form.trigger('password2');
  return (
    <AuthForm
      onSubmit={submit}
      error={error}
      valid={isValid}
      busy={busy}
      submit="Reset Password"
      submitting="Resetting..."
    >
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters with uppercase, lowercase and a number"
        error={errors.password?.message}
        {...form.register('password', { onChange: checkConfirmation })}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        error={errors.password2?.message}
        {...form.register('password2')}
      />
    </AuthForm>
  );
}

import { useAccount } from '../../../api/session.ts';
import { AuthForm } from '../../../layouts/AuthForm.tsx';
import { Card } from '../../../ui/Card.tsx';
import { NewPasswordField } from '../../../ui/NewPasswordField.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { useChangePasswordForm } from './use-change-password-form.ts';

export function ChangePassword() {
  const { data: account } = useAccount();
  const { form, error, busy, submit } = useChangePasswordForm();
  const { errors, isValid } = form.formState;
  return (
    <section aria-labelledby="change-password" className="mt-6 max-w-3xl">
      <h2 id="change-password" className="text-title-s font-semibold">
        Change password
      </h2>
      <p className="mt-1 text-muted">A new password signs you out everywhere but here.</p>
      <Card className="mt-3 px-4 py-5 sm:px-5">
        <div className="max-w-[400px]">
          <AuthForm
            onSubmit={submit}
            error={error}
            valid={isValid}
            busy={busy}
            submit="Save & Update"
            submitting="Updating Password..."
          >
            {/* Tells a password manager whose password changes. */}
            <input hidden readOnly autoComplete="username" value={account?.info.email ?? ''} />
            <PasswordField
              label="Old password"
              autoComplete="current-password"
              error={errors.old_password?.message}
              {...form.register('old_password')}
            />
            <NewPasswordField
              label="New password"
              error={errors.new_password?.message}
              {...form.register('new_password')}
            />
          </AuthForm>
        </div>
      </Card>
    </section>
  );
}

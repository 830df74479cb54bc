import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type PasswordChange, passwordProblem, useChangePassword } from '../../../api/account/password.ts';
import { useAccount } from '../../../api/account/account.ts';
import { AuthForm } from '../../../components/AuthForm.tsx';
import { changePasswordForm } from '../../../lib/new-password-forms.ts';
import { PageSection } from '../../../components/PageSection.tsx';
import { Card } from '../../../ui/Card.tsx';
import { CheckboxField } from '../../../ui/Checkbox.tsx';
import { NewPasswordField } from '../../../components/PasswordTwice.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { Note } from '../../../ui/Note.tsx';
import { textLink } from '../../../ui/text-link.ts';
import { toast } from '../../../ui/toast.tsx';

export function ChangePassword() {
  const { data: account } = useAccount();
  const { form, error, hasNewKey, busy, submit } = useChangePasswordForm();
  const { errors, isValid } = form.formState;
  return (
    <PageSection title="Change password" text="Changing it signs you out on all other devices." className="mt-6">
      <Card className="px-4 py-5 sm:px-5">
        <div className="max-w-[400px]">
          <AuthForm
            onSubmit={submit}
            error={error}
            valid={isValid}
            busy={busy}
            submit="Save & Update"
            submitting="Updating Password..."
          >
            {/* Tells password managers which account the password belongs to. */}
            <input hidden readOnly autoComplete="username" value={account?.info.email ?? ''} />
            <PasswordField
              label="Old password"
              autoComplete="current-password"
              error={errors.old_password?.message}
              {...form.register('old_password')}
            />
            <NewPasswordField
              label="New password"
              typed={form.watch('new_password')}
              email={account?.info.email}
              error={errors.new_password?.message}
              {...form.register('new_password')}
            />
            <CheckboxField
              label="Also change my API key"
              hint="Anyone who has seen the old key loses access. Scripts and apps need the new one."
              {...form.register('change_api_key')}
            />
          </AuthForm>
        </div>
        {hasNewKey && (
          <Note className="mt-5">
            Your API key has changed too. The new one is on your{' '}
            <Link to="/dashboard/account-info" className={textLink}>
              Account Info
            </Link>{' '}
            page.
          </Note>
        )}
      </Card>
    </PageSection>
  );
}

function useChangePasswordForm() {
  const [error, setError] = useState<string>();
  const [hasNewKey, setHasNewKey] = useState(false);
  const change = useChangePassword();
  const form = useForm({
    resolver: standardSchemaResolver<PasswordChange, unknown, PasswordChange>(changePasswordForm),
    mode: 'onChange',
    defaultValues: { old_password: '', new_password: '', change_api_key: true },
  });

  const send = async (typed: PasswordChange) => {
    setError(undefined);
    try {
      const answer = await change.mutateAsync(typed);
      if (!answer) return;
      toast.success(answer.message || 'Password updated successfully');
      setHasNewKey(typed.change_api_key === true);
      form.reset();
    } catch (failure) {
      setError(passwordProblem(failure, 'Something went wrong, please try again.'));
    }
  };
  return { form, error, hasNewKey, busy: change.isPending, submit: form.handleSubmit(send) };
}

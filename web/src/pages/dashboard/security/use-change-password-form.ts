import { changePasswordForm } from '@holdfast/contract/src/rules.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type PasswordChange, passwordProblem, useChangePassword } from '../../../api/password.ts';
import { toast } from '../../../ui/toast.ts';

export function useChangePasswordForm() {
  const [error, setError] = useState<string>();
  const change = useChangePassword();
  const form = useForm({
    resolver: standardSchemaResolver<PasswordChange, unknown, PasswordChange>(changePasswordForm),
    mode: 'onChange',
    defaultValues: { old_password: '', new_password: '' },
  });

  const send = async (typed: PasswordChange) => {
    setError(undefined);
    try {
      const { message } = await change.mutateAsync(typed);
      toast.success(message || 'Password updated successfully');
      form.reset();
    } catch (failure) {
      const message = passwordProblem(failure, 'Something went wrong, please try again.');
      setError(message);
      toast.error(message);
    }
  };
  return { form, error, busy: change.isPending, submit: form.handleSubmit(send) };
}

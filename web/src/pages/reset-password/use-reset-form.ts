import { newPasswordForm } from '@holdfast/contract/src/rules.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { passwordProblem, useResetPassword } from '../../api/password.ts';
import { toast } from '../../ui/toast.ts';

interface PasswordTwice {
  readonly password: string;
  readonly password2: string;
}

export function useResetForm(resetKey: string) {
  const [error, setError] = useState<string>();
  const reset = useResetPassword();
  const navigate = useNavigate();
  const form = useForm({
    resolver: standardSchemaResolver<PasswordTwice, unknown, PasswordTwice>(newPasswordForm),
    mode: 'onChange',
    defaultValues: { password: '', password2: '' },
  });

  const send = async (typed: PasswordTwice) => {
    setError(undefined);
    try {
      await reset.mutateAsync({ ...typed, reset_key: resetKey });
      toast.success('Your password has been successfully reset.');
      // The way back would lead to a form whose key is used up.
      await navigate({ to: '/sign-in', replace: true });
    } catch (failure) {
      const message = passwordProblem(failure, 'Something went wrong. Try again!');
      setError(message);
      toast.error(message);
    }
  };
  return { form, error, busy: reset.isPending, submit: form.handleSubmit(send) };
}

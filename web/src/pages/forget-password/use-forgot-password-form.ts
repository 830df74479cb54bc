import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { forgotPasswordForm } from '@holdfast/contract/src/rules.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { passwordProblem, useRequestPasswordReset } from '../../api/password.ts';
import { toast } from '../../ui/toast.ts';

interface ForgotPassword {
  readonly email: string;
}

export function useForgotPasswordForm() {
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
      await request.mutateAsync(email);
      setSentTo(email);
      toast.success('Password reset link sent. Please check your email.');
    } catch (failure) {
      const message = passwordProblem(failure, ownWords(failure));
      setSentTo(undefined);
      setError(message);
      toast.error(message);
    }
  };
  return { form, error, sentTo, busy: request.isPending, submit: form.handleSubmit(send) };
}

/** Spec section 8 tells a refusal without a message from everything else. */
function ownWords(failure: unknown): string {
  const refused = failure instanceof CallFailed && failure.problem === 'refused';
  return refused ? 'Reset failed' : 'Something went wrong. Try again!';
}

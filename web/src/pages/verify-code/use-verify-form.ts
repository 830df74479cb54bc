import { code } from '@holdfast/contract/src/rules.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { object } from 'zod/mini';
import { serverMessage } from '../../api/errors.ts';
import { useVerifyEmail } from '../../api/sign-up.ts';
import { toast } from '../../ui/toast.ts';

interface CodeForm {
  readonly code: string;
}
const codeForm = object({ code });

export function useVerifyForm() {
  const [error, setError] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const verify = useVerifyEmail();
  const navigate = useNavigate();
  const { email, codeSentAt, ...state } = useLocation().state;
  const form = useForm({
    resolver: standardSchemaResolver<CodeForm, unknown, CodeForm>(codeForm),
    mode: 'onChange',
    defaultValues: { code: '' },
  });

  const send = async (typed: CodeForm) => {
    setError(undefined);
    try {
      const { message } = await verify.mutateAsync({ code: typed.code, email });
      toast.success(message || 'Code verified');
      await navigate({ to: '/sign-in', state });
    } catch (failure) {
      const words = serverMessage(failure, 'Something went wrong, try again later!!');
      setError(words);
      toast.error(words);
      // A wrong code is typed anew, not mended.
      form.reset();
      setAttempt((count) => count + 1);
    }
  };
  return { form, error, attempt, email, codeSentAt, busy: verify.isPending, submit: form.handleSubmit(send) };
}

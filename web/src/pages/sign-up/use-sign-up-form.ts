import { signUpForm } from '@holdfast/contract/src/rules.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formErrorMessage } from '../../api/errors.ts';
import { type NewAccount, useSignUp } from '../../api/sign-up.ts';
import { toast } from '../../ui/toast.ts';

const empty = { email: '', password: '', password2: '' };

export function useSignUpForm() {
  const [error, setError] = useState<string>();
  const signUp = useSignUp();
  const navigate = useNavigate();
  const { state } = useLocation();
  const form = useForm({
    resolver: standardSchemaResolver<NewAccount, unknown, NewAccount>(signUpForm),
    mode: 'onChange',
    defaultValues: empty,
  });

  const send = async (account: NewAccount) => {
    setError(undefined);
    try {
      await signUp.mutateAsync(account);
      toast.success('Signup successful! Check your email to verify.');
      await navigate({ to: '/verify-code', state: { ...state, ...justSentTo(account.email) } });
    } catch (failure) {
      const message = formErrorMessage(failure, 'Signup failed. Please try again.');
      setError(message);
      toast.error(message);
    }
  };
  return { form, error, busy: signUp.isPending, submit: form.handleSubmit(send) };
}

/** What the page that asks for the code has to know. */
const justSentTo = (email: string) => ({ email, codeSentAt: Date.now() });

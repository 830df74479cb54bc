import { signInForm } from '@holdfast/contract/src/rules.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formErrorMessage, isRefusal } from '../../api/errors.ts';
import { type Credentials, useSignIn } from '../../api/sign-in.ts';
import { toast } from '../../ui/toast.ts';

export function useSignInForm() {
  const [error, setError] = useState<string>();
  const signIn = useSignIn();
  const navigate = useNavigate();
  const { state } = useLocation();
  const form = useForm({
    resolver: standardSchemaResolver<Credentials, unknown, Credentials>(signInForm),
    mode: 'onChange',
    defaultValues: { email: '', password: '' },
  });

  const fail = (failure: unknown, email: string) => {
    if (isRefusal(failure, 'EMAIL_NOT_VERIFIED')) return navigate({ to: '/verify-code', state: { ...state, email } });
    const message = formErrorMessage(failure, 'E-Mail or password incorrect.');
    setError(message);
    toast.error(message);
  };
  const send = async (credentials: Credentials) => {
    setError(undefined);
    try {
      await signIn.mutateAsync(credentials);
      toast.success('Login successful!');
    } catch (failure) {
      await fail(failure, credentials.email);
    }
  };
  return { form, error, busy: signIn.isPending, submit: form.handleSubmit(send) };
}

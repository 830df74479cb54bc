import { signInForm } from '@holdfast/contract/src/rules.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type HistoryState, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useFailedCheck } from '../../api/account/account.ts';
import { formErrorMessage, isRefusal } from '../../api/client/errors.ts';
import { type SignInCredentials, useSignIn } from '../../api/session/sign-in.ts';
import { AuthForm } from '../../components/AuthForm.tsx';
import { AuthPage } from '../../components/AuthPage.tsx';
import { isSignUpOpen } from '../../lib/site.ts';
import { EmailField } from '../../ui/TextField.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Note } from '../../ui/Note.tsx';
import { textLink } from '../../ui/text-link.ts';
import { toast } from '../../ui/toast.tsx';

export function SignInPage() {
  const { form, error, busy, submit } = useSignInForm();
  const { errors, isValid } = form.formState;
  const checkAgain = useFailedCheck();
  const state = { ...useLocation().state, email: form.watch('email') };
  return (
    <AuthPage
      title="Sign In"
      intro="Your files and their links are where you left them."
      footer={isSignUpOpen && <ToSignUp state={state} />}
    >
      {checkAgain && (
        <Note tone="warning" className="mb-6">
          The server did not answer, so you may still be signed in.{' '}
          <button type="button" onClick={checkAgain} className="font-medium underline underline-offset-4">
            Try again
          </button>
        </Note>
      )}
      <AuthForm onSubmit={submit} error={error} valid={isValid} busy={busy} submit="Sign In" submitting="Logging In...">
        <EmailField error={errors.email?.message} {...form.register('email')} />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register('password')}
        />
        <Link to="/forget-password" state={state} className={`${textLink} -mt-2 w-fit text-m`}>
          Forgot Password?
        </Link>
      </AuthForm>
    </AuthPage>
  );
}

/** A success replaces the errors of its form. */
const toastId = 'sign-in';

function useSignInForm() {
  const [error, setError] = useState<string>();
  const signIn = useSignIn();
  const navigate = useNavigate();
  const { state } = useLocation();
  const form = useForm({
    resolver: standardSchemaResolver<SignInCredentials, unknown, SignInCredentials>(signInForm),
    mode: 'onChange',
    defaultValues: { email: state.email ?? '', password: '' },
  });

  const fail = (failure: unknown, email: string) => {
    if (isRefusal(failure, 'EMAIL_NOT_VERIFIED')) return navigate({ to: '/verify-code', state: { ...state, email } });
    const message = formErrorMessage(failure, 'E-Mail or password incorrect.');
    setError(message);
    toast.error(message, { id: toastId });
  };
  const send = async (credentials: SignInCredentials) => {
    setError(undefined);
    try {
      if (await signIn.mutateAsync(credentials)) toast.success('Login successful!', { id: toastId });
    } catch (failure) {
      await fail(failure, credentials.email);
    }
  };
  return { form, error, busy: signIn.isPending, submit: form.handleSubmit(send) };
}

/** With sign-up closed or by invitation only, no page leads there. */
function ToSignUp({ state }: { readonly state: HistoryState }) {
  return (
    <p>
      New here?{' '}
      <Link to="/sign-up" state={state} className={textLink}>
        Sign Up
      </Link>
    </p>
  );
}

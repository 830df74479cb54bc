import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formErrorMessage } from '../../api/client/errors.ts';
import { type NewAccount, useSignUp } from '../../api/account/sign-up.ts';
import { ContactSentence } from '../../components/ContactSentence.tsx';
import { AuthForm } from '../../components/AuthForm.tsx';
import { AuthPage } from '../../components/AuthPage.tsx';
import { PasswordTwice } from '../../components/PasswordTwice.tsx';
import { signUpForm } from '../../lib/new-password-forms.ts';
import { hasStandardTerms, isSignUpOpen, site } from '../../lib/site.ts';
import { useLinkSecret } from '../../lib/link-secret.ts';
import { EmailField } from '../../ui/TextField.tsx';
import { textLink } from '../../ui/text-link.ts';
import { toast } from '../../ui/toast.tsx';

export function SignUpPage() {
  const invitation = useLinkSecret();
  if (invitation === undefined && !isSignUpOpen) return <NotOpen />;
  return <SignUp invitation={invitation} />;
}

const uninvitedIntro =
  site.signUp === 'approval'
    ? 'The operator of this site approves each new account. You get an email when you can sign in.'
    : site.pricing
      ? 'Free space, free API access, a link for every file.'
      : 'Space for your files, an API key, a link for every file.';

const invitedIntro =
  site.signUp === 'closed'
    ? "This site accepts no new accounts. Only the link for its owner's first account works here."
    : 'You have an invitation. Choose a password for your new account.';

/** Explains why there is no form. */
function NotOpen() {
  const isClosed = site.signUp === 'closed';
  return (
    <AuthPage
      title="Sign Up"
      intro={isClosed ? 'This site accepts no new accounts.' : 'You need an invitation to sign up on this site.'}
      footer={<ToSignIn />}
    >
      <p className="text-m text-muted">
        {!isClosed && 'If you have one, open its link. '}
        <ContactSentence />
      </p>
    </AuthPage>
  );
}

function SignUp({ invitation }: { readonly invitation: string | undefined }) {
  const { form, error, busy, submit } = useSignUpForm(invitation);
  const email = form.watch('email');
  const { errors, isValid } = form.formState;
  return (
    <AuthPage
      title="Sign Up"
      intro={invitation === undefined ? uninvitedIntro : invitedIntro}
      footer={
        <>
          <Agreement />
          <ToSignIn email={email} />
        </>
      }
    >
      <AuthForm onSubmit={submit} error={error} valid={isValid} busy={busy} submit="Sign Up" submitting="Processing...">
        <EmailField error={errors.email?.message} {...form.register('email')} />
        <PasswordTwice label="Password" form={form} email={email} errors={errors} />
      </AuthForm>
    </AuthPage>
  );
}

function Agreement() {
  return (
    <p>
      By signing up you agree to the{' '}
      <Link to="/terms-of-service" target="_blank" className={textLink}>
        Terms of Service
      </Link>
      {hasStandardTerms && ' and confirm that you are at least 16'}.
    </p>
  );
}

function useSignUpForm(invitation: string | undefined) {
  const [error, setError] = useState<string>();
  const signUp = useSignUp();
  const navigate = useNavigate();
  const { state } = useLocation();
  const form = useForm({
    resolver: standardSchemaResolver<NewAccount, unknown, NewAccount>(signUpForm),
    mode: 'onChange',
    defaultValues: { email: state.email ?? '', password: '', password2: '' },
  });

  const send = async (account: NewAccount) => {
    setError(undefined);
    try {
      const answer = await signUp.mutateAsync({ account, invitation });
      if (!answer) return;
      if (answer.signed_in) return void toast.success('Your account is ready.');
      toast.success('Signup successful! Check your email to verify.');
      await navigate({ to: '/verify-code', state: { ...state, ...justSentTo(account.email) } });
    } catch (failure) {
      setError(formErrorMessage(failure, 'Signup failed. Please try again.'));
    }
  };
  return { form, error, busy: signUp.isPending, submit: form.handleSubmit(send) };
}

/** History state for the page that asks for the code. */
const justSentTo = (email: string) => ({ email, codeSentAt: Date.now() });

function ToSignIn({ email }: { readonly email?: string }) {
  const { state } = useLocation();
  return (
    <p>
      Already have an account?{' '}
      <Link to="/sign-in" state={{ ...state, ...(email && { email }) }} className={textLink}>
        Sign In
      </Link>
    </p>
  );
}

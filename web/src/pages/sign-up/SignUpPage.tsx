import { Link } from '@tanstack/react-router';
import { AuthForm } from '../../layouts/AuthForm.tsx';
import { AuthPage } from '../../layouts/AuthPage.tsx';
import { PasswordTwice } from '../../layouts/PasswordTwice.tsx';
import { EmailField } from '../../ui/EmailField.tsx';
import { textLink } from '../../ui/text-link.ts';
import { useSignUpForm } from './use-sign-up-form.ts';

export function SignUpPage() {
  const { form, error, busy, submit } = useSignUpForm();
  const { errors, isValid } = form.formState;
  return (
    <AuthPage title="Sign Up" intro="Free space, free API access, a link for every file." footer={<ToSignIn />}>
      <AuthForm onSubmit={submit} error={error} valid={isValid} busy={busy} submit="Sign Up" submitting="Processing...">
        <EmailField error={errors.email?.message} {...form.register('email')} />
        <PasswordTwice label="Password" form={form} errors={errors} />
      </AuthForm>
    </AuthPage>
  );
}

function ToSignIn() {
  return (
    <>
      Already have an account?{' '}
      <Link to="/sign-in" className={textLink}>
        Sign In
      </Link>
    </>
  );
}

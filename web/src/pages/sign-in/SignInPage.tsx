import { Link } from '@tanstack/react-router';
import { AuthForm } from '../../layouts/AuthForm.tsx';
import { AuthPage } from '../../layouts/AuthPage.tsx';
import { EmailField } from '../../ui/EmailField.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { textLink } from '../../ui/text-link.ts';
import { useSignInForm } from './use-sign-in-form.ts';

export function SignInPage() {
  const { form, error, busy, submit } = useSignInForm();
  const { errors, isValid } = form.formState;
  return (
    <AuthPage title="Sign In" intro="Your files and their links are where you left them." footer={<ToSignUp />}>
      <AuthForm onSubmit={submit} error={error} valid={isValid} busy={busy} submit="Sign In" submitting="Logging In...">
        <EmailField error={errors.email?.message} {...form.register('email')} />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register('password')}
        />
        <Link to="/forget-password" className={`${textLink} -mt-3 mb-2 w-fit text-m`}>
          Forgot Password?
        </Link>
      </AuthForm>
    </AuthPage>
  );
}

function ToSignUp() {
  return (
    <>
      New here?{' '}
      <Link to="/sign-up" className={textLink}>
        Sign Up
      </Link>
    </>
  );
}

import { Link } from '@tanstack/react-router';
import { AuthForm } from '../../layouts/AuthForm.tsx';
import { AuthPage, textLink } from '../../layouts/AuthPage.tsx';
import { EmailField } from '../../ui/EmailField.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useSignUpForm } from './use-sign-up-form.ts';

export function SignUpPage() {
  const { form, error, busy, submit } = useSignUpForm();
  const { errors, isValid } = form.formState;
  // A changed password can make a typed confirmation right or wrong; an empty one is not scolded yet.
  const checkConfirmation = () => form.getValues('password2') !== '' && void form.trigger('password2');
  return (
    <AuthPage title="Sign Up" intro="Free space, free API access, a link for every file." footer={<ToSignIn />}>
      <AuthForm onSubmit={submit} error={error} valid={isValid} busy={busy} submit="Sign Up" submitting="Processing...">
        <EmailField error={errors.email?.message} {...form.register('email')} />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          hint="At least 8 characters with uppercase, lowercase and a number"
          error={errors.password?.message}
          {...form.register('password', { onChange: checkConfirmation })}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          error={errors.password2?.message}
          {...form.register('password2')}
        />
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

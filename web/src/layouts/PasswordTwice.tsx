import type { FieldErrors, UseFormReturn } from 'react-hook-form';
import { NewPasswordField } from '../ui/NewPasswordField.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';

interface Passwords {
  readonly password: string;
  readonly password2: string;
}

export interface PasswordTwiceProps {
  readonly label: string;
  /** Of a form that may ask for more than this. */
  readonly form: Pick<UseFormReturn<Passwords>, 'register' | 'trigger'> & {
    readonly getValues: (name: 'password2') => string;
  };
  readonly errors: FieldErrors<Passwords>;
}

/** A new password and its confirmation. */
export function PasswordTwice({ label, form, errors }: PasswordTwiceProps) {
  // A changed password can make a typed confirmation right or wrong; an empty one is not scolded yet.
  const checkConfirmation = () => form.getValues('password2') !== '' && void form.trigger('password2');
  return (
    <>
      <NewPasswordField
        label={label}
        error={errors.password?.message}
        {...form.register('password', { onChange: checkConfirmation })}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        error={errors.password2?.message}
        {...form.register('password2')}
      />
    </>
  );
}

import type { FieldErrors, UseFormReturn } from 'react-hook-form';
import { PasswordField } from '../ui/PasswordField.tsx';
import type { TextFieldProps } from '../ui/TextField.tsx';

interface Passwords {
  readonly password: string;
  readonly password2: string;
}

export interface PasswordTwiceProps {
  readonly label: string;
  readonly form: Pick<UseFormReturn<Passwords>, 'register' | 'trigger'> & {
    readonly getValues: (name: 'password2') => string;
  };
  readonly errors: FieldErrors<Passwords>;
}

export function PasswordTwice({ label, form, errors }: PasswordTwiceProps) {
  // A changed password can make the typed confirmation valid or invalid. An empty confirmation is not reported yet.
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

/** Field for choosing a new password. Password managers offer to generate one. */
export function NewPasswordField(props: Omit<TextFieldProps, 'hint' | 'autoComplete'>) {
  return <PasswordField autoComplete="new-password" hint="8+ characters, upper and lower case, a number" {...props} />;
}

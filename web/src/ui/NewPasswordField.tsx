import { PasswordField } from './PasswordField.tsx';
import type { TextFieldProps } from './TextField.tsx';

/** A password that is being chosen. Password managers offer to make one up. */
export function NewPasswordField(props: Omit<TextFieldProps, 'hint' | 'autoComplete'>) {
  return <PasswordField autoComplete="new-password" hint="8+ characters, upper and lower case, a number" {...props} />;
}

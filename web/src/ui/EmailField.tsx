import { TextField, type TextFieldProps } from './TextField.tsx';

/** The address that an account is known by; password managers file it as the user name. */
export function EmailField(props: Omit<TextFieldProps, 'label' | 'type'>) {
  return <TextField label="Email" type="email" inputMode="email" autoComplete="username" {...props} />;
}

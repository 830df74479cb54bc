import { clsx } from 'clsx';
import { type ComponentProps, useId } from 'react';
import { Field, type FieldTexts, inputLook } from './Field.tsx';

export type TextFieldProps = ComponentProps<'input'> & FieldTexts;

export function TextField({ label, error, hint, className, ...input }: TextFieldProps) {
  const own = useId();
  const id = input.id ?? own;
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      <input
        {...input}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
        className={clsx(inputLook, className)}
      />
    </Field>
  );
}

/** The email of the account; password managers store it as the user name. */
export function EmailField(props: Omit<TextFieldProps, 'label' | 'type'>) {
  return <TextField label="Email" type="email" inputMode="email" autoComplete="username" {...props} />;
}

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

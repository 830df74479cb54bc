import { clsx } from 'clsx';
import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Field, inputLook } from './Field.tsx';
import { IconButton } from './IconButton.tsx';
import type { TextFieldProps } from './TextField.tsx';

export interface PasswordFieldProps extends TextFieldProps {
  /** Shown below the input of a new password, whose rules stay visible beside an error. */
  readonly meter?: ReactNode;
}

export function PasswordField({ label, error, hint, meter, className, ...input }: PasswordFieldProps) {
  const own = useId();
  const id = input.id ?? own;
  const [shown, setShown] = useState(false);
  return (
    <Field id={id} label={label} error={error} hint={hint} hintStays={meter !== undefined}>
      <div className="relative">
        <input
          spellCheck={false}
          autoCapitalize="none"
          {...input}
          id={id}
          type={shown ? 'text' : 'password'}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-note`}
          className={clsx(inputLook, 'pr-12', className)}
        />
        <IconButton
          label={shown ? 'Hide password' : 'Show password'}
          aria-controls={id}
          className="absolute inset-y-0 right-0 h-full w-11"
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff /> : <Eye />}
        </IconButton>
      </div>
      {meter}
    </Field>
  );
}

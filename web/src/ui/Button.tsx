import type { ComponentProps } from 'react';
import { type ButtonLook, buttonLook } from './button-look.ts';
import { Spinner } from './Spinner.tsx';

export interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /** Shows a spinner before the label; whether it can be pressed is up to `disabled`. */
  readonly busy?: boolean | undefined;
}

export function Button({ variant, size, busy = false, className, children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} aria-busy={busy || undefined} className={buttonLook({ variant, size }, className)} {...rest}>
      {busy && <Spinner />}
      {children}
    </button>
  );
}

import { createLink } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { Spinner } from './Spinner.tsx';

export interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /** Shows a spinner before the label; only `disabled` controls whether the button can be pressed. */
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

/** A link out of the app (another site, a download, a redirecting call) that looks like a button. */
export function ButtonAnchor({ variant, size, className, children, ...rest }: ComponentProps<'a'> & ButtonLook) {
  return (
    <a className={buttonLook({ variant, size }, className)} {...rest}>
      {children}
    </a>
  );
}

export const ButtonLink = createLink(ButtonAnchor);

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'final';
type ButtonSize = 'm' | 'l';
interface ButtonLook {
  readonly variant?: ButtonVariant | undefined;
  readonly size?: ButtonSize | undefined;
}

export function buttonLook({ variant = 'secondary', size = 'm' }: ButtonLook, className?: string): string {
  return clsx(shape, sizes[size], colors[variant], className);
}

const shape =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-m border font-medium whitespace-nowrap select-none no-underline ' +
  'transition-[background-color,border-color] duration-100 disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-muted [a&]:aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 ' +
  // A disabled button that keeps its place in the tab order (see aria-disabled.ts).
  '[button&]:aria-disabled:cursor-not-allowed [button&]:aria-disabled:border-line! [button&]:aria-disabled:bg-sunken! [button&]:aria-disabled:text-muted!';

const sizes = {
  m: 'h-control px-3.5 text-m',
  l: 'h-11 px-5 text-[15px]',
} satisfies Record<ButtonSize, string>;

const colors = {
  primary:
    'enabled:border-sea enabled:bg-sea enabled:text-on-sea [a&]:border-sea [a&]:bg-sea [a&]:text-on-sea enabled:hover:border-sea-strong enabled:hover:bg-sea-strong [a&]:hover:border-sea-strong [a&]:hover:bg-sea-strong',
  secondary: 'border-line bg-surface enabled:text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken',
  quiet: 'border-transparent bg-transparent enabled:text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken',
  /** What can be undone, or is asked again. */
  danger: 'border-line bg-surface enabled:text-danger enabled:hover:border-danger enabled:hover:bg-danger-wash',
  /** The last press before something is lost. */
  final:
    'enabled:border-danger enabled:bg-danger enabled:text-on-danger enabled:hover:border-[color-mix(in_oklch,var(--danger)_85%,black)] enabled:hover:bg-[color-mix(in_oklch,var(--danger)_85%,black)]',
} satisfies Record<ButtonVariant, string>;

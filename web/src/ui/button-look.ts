import { clsx } from 'clsx';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'm' | 'l';
export interface ButtonLook {
  readonly variant?: ButtonVariant | undefined;
  readonly size?: ButtonSize | undefined;
}

/** One look for what is pressed, be it a button or a link. */
export function buttonLook({ variant = 'secondary', size = 'm' }: ButtonLook, className?: string): string {
  return clsx(shape, sizes[size], colours[variant], className);
}

const shape =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-m border font-medium whitespace-nowrap select-none no-underline ' +
  'transition-[background-color,border-color] duration-100 disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-muted [a&]:aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 ' +
  // A button that keeps its place in the tab order while it cannot be pressed.
  '[button&]:aria-disabled:cursor-not-allowed [button&]:aria-disabled:border-line! [button&]:aria-disabled:bg-sunken! [button&]:aria-disabled:text-muted!';

const sizes = {
  m: 'h-control px-3.5 text-m',
  l: 'h-11 px-5 text-[15px]',
} satisfies Record<ButtonSize, string>;

const colours = {
  primary:
    'enabled:border-sea enabled:bg-sea enabled:text-on-sea [a&]:border-sea [a&]:bg-sea [a&]:text-on-sea enabled:hover:border-sea-strong enabled:hover:bg-sea-strong [a&]:hover:border-sea-strong [a&]:hover:bg-sea-strong',
  secondary: 'border-line bg-surface enabled:text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken',
  quiet: 'border-transparent bg-transparent enabled:text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken',
  danger: 'border-line bg-surface enabled:text-danger enabled:hover:border-danger enabled:hover:bg-danger-wash',
} satisfies Record<ButtonVariant, string>;

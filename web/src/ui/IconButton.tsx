import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

export interface IconButtonProps extends ComponentProps<'button'> {
  readonly label: string;
}

export function IconButton({ label, className, type = 'button', ...rest }: IconButtonProps) {
  return <button type={type} aria-label={label} title={label} className={clsx(look, className)} {...rest} />;
}

const look =
  'inline-grid size-control shrink-0 place-items-center rounded-m text-muted transition-colors duration-100 ' +
  'enabled:hover:bg-sunken enabled:hover:text-ink disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:size-4';

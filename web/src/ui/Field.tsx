import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export interface FieldTexts {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  readonly hintStays?: boolean;
}

/** A label above a control; below it a hint, an error, or both where the hint stays. */
export function Field({
  id,
  label,
  error,
  hint,
  hintStays = false,
  children,
}: FieldTexts & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-m font-medium">
        {label}
      </label>
      {children}
      {hintStays && error && <p className="text-s text-muted">{hint}</p>}
      <p id={`${id}-note`} className={clsx('text-s empty:hidden', error ? 'text-danger' : 'text-muted')}>
        {error ?? hint}
      </p>
    </div>
  );
}

export const inputLook =
  'h-11 w-full rounded-m border border-edge bg-surface px-3 text-l text-ink transition-colors duration-100 ' +
  'focus-visible:outline-offset-0 aria-invalid:border-danger aria-invalid:outline-danger disabled:cursor-not-allowed disabled:opacity-60';

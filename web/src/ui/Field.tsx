import type { ReactNode } from 'react';

export interface FieldTexts {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
}

/**
 * A label above a control, and a hint or an error below it. Space for the error is reserved, so that the layout does
 * not shift.
 */
export function Field({
  id,
  label,
  error,
  hint,
  children,
}: FieldTexts & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-m font-medium">
        {label}
      </label>
      {children}
      <p id={`${id}-note`} className={error ? 'min-h-5 text-s text-danger' : 'min-h-5 text-s text-muted'}>
        {error ?? hint}
      </p>
    </div>
  );
}

export const inputLook =
  'h-11 w-full rounded-m border border-edge bg-surface px-3 text-l text-ink transition-colors duration-100 ' +
  'focus-visible:outline-offset-0 aria-invalid:border-danger aria-invalid:outline-danger disabled:cursor-not-allowed disabled:opacity-60';

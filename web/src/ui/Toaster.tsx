import { clsx } from 'clsx';
import { usePile } from './pile-place.ts';

/** The page's one live region: it is always there, so every toast is spoken. */
export function Toaster({ inHeader }: { readonly inHeader: boolean }) {
  const pile = usePile();
  return (
    // Its toasts are blocks, which an output element must not hold.
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="status"
      aria-live="polite"
      aria-atomic="false"
      className={clsx(
        'pointer-events-none fixed z-100 flex justify-center',
        // Beside what the header holds to press, or below it where there is no room beside.
        inHeader ? 'inset-x-14 top-2.5 lg:right-24 lg:justify-end' : 'inset-x-4 top-[72px]',
      )}
    >
      {pile}
    </div>
  );
}

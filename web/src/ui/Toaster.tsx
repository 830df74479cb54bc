import { clsx } from 'clsx';
import { type ReactElement, useSyncExternalStore } from 'react';

/** The live region of toasts. It is always mounted, so that every toast is announced. */
export function Toaster({ inHeader }: { readonly inHeader: boolean }) {
  const pile = usePile();
  return (
    // Toasts are block elements, which an output element must not contain.
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="status"
      aria-live="polite"
      aria-atomic="false"
      className={clsx(
        'pointer-events-none fixed z-100 flex justify-center',
        // Beside the controls in the header, or below it if there is no space.
        inHeader ? 'inset-x-14 top-2.5 lg:right-24 lg:justify-end' : 'inset-x-4 top-[72px]',
      )}
    >
      {pile}
    </div>
  );
}

let placed: ReactElement | null = null;
let onPlaced = () => {};

/** Sets the content of the live region. */
export function placePile(element: ReactElement): void {
  placed = element;
  onPlaced();
}

/** The content of the live region, once there is any. There is only one such region. */
const usePile = (): ReactElement | null => useSyncExternalStore(listen, () => placed);

function listen(onChange: () => void): () => void {
  onPlaced = onChange;
  return () => {
    onPlaced = () => {};
  };
}

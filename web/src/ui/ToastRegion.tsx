import type { ReactElement } from 'react';
import { openStore, useStore } from '../lib/store.ts';

/** The toasts, once the code that shows them is loaded. */
export const toasts = openStore<ReactElement | null>(null);

/** The live region of toasts. It is always mounted, so that every toast is announced. */
export function ToastRegion() {
  return (
    // Toasts are block elements, which an output element must not contain.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="status" aria-live="polite" aria-atomic="false">
      {useStore(toasts)}
    </div>
  );
}

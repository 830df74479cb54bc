import { type ReactElement, useSyncExternalStore } from 'react';

let pile: ReactElement | null = null;
let heard = () => {};

/** Where the toasts lie from now on, in the page's live region. */
export function placePile(element: ReactElement): void {
  pile = element;
  heard();
}

/** What to show in the live region, once there is something that may. There is one such region. */
export const usePile = (): ReactElement | null => useSyncExternalStore(listen, () => pile);

function listen(onPile: () => void): () => void {
  heard = onPile;
  return () => {
    heard = () => {};
  };
}

/** True while this tab sends a logout again that has failed. Separate, because every page loads it. */
let isUnconfirmed = false;
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. */
export const unconfirmedLogout = {
  read: () => isUnconfirmed,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  set(next: boolean) {
    isUnconfirmed = next;
    for (const listener of listeners) listener();
  },
} as const;

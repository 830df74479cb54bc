import { useSyncExternalStore } from 'react';

/** A value outside React. Components that read it with `useStore` re-render when it changes. */
export interface Store<T> {
  readonly read: () => T;
  readonly set: (next: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function openStore<T>(value: T): Store<T> {
  const listeners = new Set<() => void>();
  return {
    read: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const useStore = <T>({ read, subscribe }: Pick<Store<T>, 'read' | 'subscribe'>): T =>
  useSyncExternalStore(subscribe, read);

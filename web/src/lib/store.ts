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

/** A choice that this browser remembers, the first one until it is made. */
export function openStoredChoice<T extends string>(key: string, choices: readonly [T, ...T[]]): Store<T> {
  const choice = openStore(storedChoice(key, choices));
  return {
    ...choice,
    set(next) {
      choice.set(next);
      try {
        localStorage.setItem(key, next);
      } catch {
        // Storage can be forbidden; the choice then lasts until the page is closed.
      }
    },
  };
}

function storedChoice<T extends string>(key: string, choices: readonly [T, ...T[]]): T {
  try {
    const stored = localStorage.getItem(key);
    return choices.find((each) => each === stored) ?? choices[0];
  } catch {
    return choices[0];
  }
}

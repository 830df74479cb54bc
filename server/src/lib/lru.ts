/** A map that drops its oldest entries beyond `most`. An entry that is set again is the newest. */
export interface Lru<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
}

export function createLru<K, V>(most: number): Lru<K, V> {
  // A map iterates in the order of insertion.
  const entries = new Map<K, V>();
  return {
    get size() {
      return entries.size;
    },
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > most) for (const oldest of entries.keys()) return void entries.delete(oldest);
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}

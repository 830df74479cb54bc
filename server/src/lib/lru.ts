/** Drops what was set longest ago. */
export function createLru<K, V>(most: number) {
  const entries = new Map<K, V>();
  return {
    get: (key: K) => entries.get(key),
    delete: (key: K) => entries.delete(key),
    set(key: K, value: V): void {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > most) for (const oldest of entries.keys()) return void entries.delete(oldest);
    },
  };
}

export interface KeyedCount<K> {
  of(key: K): number;
  add(key: K): void;
  remove(key: K): void;
}

export function createKeyedCount<K>(): KeyedCount<K> {
  const counts = new Map<K, number>();
  const of = (key: K) => counts.get(key) ?? 0;
  return {
    of,
    add: (key) => void counts.set(key, of(key) + 1),
    remove(key) {
      if (of(key) > 1) counts.set(key, of(key) - 1);
      else counts.delete(key);
    },
  };
}

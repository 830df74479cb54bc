export function createKeyedCount<K>() {
  const counts = new Map<K, number>();
  const of = (key: K) => counts.get(key) ?? 0;
  return {
    of,
    add: (key: K) => void counts.set(key, of(key) + 1),
    remove(key: K): void {
      if (of(key) > 1) counts.set(key, of(key) - 1);
      else counts.delete(key);
    },
  };
}

/** Keeps the prefix that all keys share, and the length, so that the layout does not shift on reveal. */
export function maskKey(key: string): string {
  const shown = key.startsWith('hf_') ? 3 : 0;
  return key.slice(0, shown) + '•'.repeat(key.length - shown);
}

/** Keeps what every key starts with and the length, so that nothing moves when it is revealed. */
export function maskKey(key: string): string {
  const shown = key.startsWith('hf_') ? 3 : 0;
  return key.slice(0, shown) + '•'.repeat(key.length - shown);
}

/** Returns in words how a figure was checked. */
export function expectCount(what: string, found: number, expected: number): string {
  if (found !== expected) throw new Error(`${found} ${what}, where there should be ${expected}`);
  return `${found} ${what} at the end`;
}

import { createInterface } from 'node:readline/promises';
import { Refused, WrongUsage } from './explain.ts';

/**
 * Asks for `expected` to be typed before something goes for good. `yes` is that it was said on the command line.
 * @throws {WrongUsage} where nobody can be asked.
 */
export async function confirm(
  warning: string,
  expected: string,
  { yes, signal }: { readonly yes: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new WrongUsage(`${warning} Nobody can be asked here: add --yes to go on.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await terminal.question(`${warning}\nType ${expected} to go on: `, { signal });
    if (typed.trim() !== expected) throw new Refused('That was something else. Nothing was changed.');
  } finally {
    terminal.close();
  }
}

import { createInterface } from 'node:readline/promises';
import { Refused, WrongUsage } from './explain.ts';

/**
 * Asks the operator to type `expected` before a permanent deletion. `yes` means that the command line already confirmed
 * it.
 * @throws {WrongUsage} when there is no terminal to ask on.
 */
export async function confirm(
  warning: string,
  expected: string,
  { yes, signal }: { readonly yes: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new WrongUsage(`${warning} There is no terminal to ask on: add --yes to continue.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await terminal.question(`${warning}\nType ${expected} to continue: `, { signal }).catch(() => null);
    if (typed === null) throw new Refused('Nothing was changed.');
    if (typed.trim() !== expected) throw new Refused('The text did not match. Nothing was changed.');
  } finally {
    terminal.close();
  }
}

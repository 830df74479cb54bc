import { once } from 'node:events';
import type { Command } from 'commander';

export interface Output {
  readonly json: boolean;
  /** Prints a single result: the value as JSON, or the text for people. */
  say(value: object, text: string): void;
  /**
   * Prints one row of a list, and waits while the reader is slow.
   * @throws {ReaderLeft} when the reader is gone.
   */
  row(value: object, text: string): Promise<void>;
  /** Prints one line about work that continues even when its output is no longer read. */
  tell(value: object, text: string): Promise<void>;
}

/** The reader closed the output, as in `holdfast account list | head`: there is nothing left to do. */
export class ReaderLeft extends Error {
  override readonly name = 'ReaderLeft';
}

export function openOutput(command: Command): Output {
  const json = command.opts<{ json?: boolean }>().json === true;
  const lineOf = (value: object, text: string) => `${json ? JSON.stringify(value) : text}\n`;
  let hasLeft = false;
  process.stdout.on('error', (error) => (hasLeft ||= isReaderLeft(error)));
  const tell: Output['tell'] = async (value, text) => {
    if (hasLeft || process.stdout.write(lineOf(value, text))) return;
    await once(process.stdout, 'drain').catch((error: unknown) => {
      if (!isReaderLeft(error)) throw error;
    });
  };
  return {
    json,
    say: (value, text) => void process.stdout.write(lineOf(value, text)),
    async row(value, text) {
      await tell(value, text);
      if (hasLeft) throw new ReaderLeft();
    },
    tell,
  };
}

export const isReaderLeft = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE';

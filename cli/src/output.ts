import { once } from 'node:events';
import type { Command } from 'commander';

export interface Output {
  readonly json: boolean;
  /** One answer: the value as JSON, or the text for people. */
  say(value: object, text: string): void;
  /** One row of a list, which waits while the reader is slow. */
  row(value: object, text: string): Promise<void>;
}

export function openOutput(command: Command): Output {
  const json = command.opts<{ json?: boolean }>().json === true;
  const lineOf = (value: object, text: string) => `${json ? JSON.stringify(value) : text}\n`;
  return {
    json,
    say: (value, text) => void process.stdout.write(lineOf(value, text)),
    async row(value, text) {
      if (!process.stdout.write(lineOf(value, text))) await once(process.stdout, 'drain');
    },
  };
}

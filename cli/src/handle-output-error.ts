import { explain } from './explain.ts';
import { isReaderLeft } from './output.ts';

/**
 * Ends a command with a message when its output cannot be written, as on a full disk. A closed reader ends only a list:
 * see `Output`.
 */
export function handleOutputErrors(error: unknown): void {
  if (isReaderLeft(error)) return;
  console.error(explain(error));
  process.exit(1);
}

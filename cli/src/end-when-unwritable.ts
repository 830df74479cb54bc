import { explain } from './explain.ts';
import { isReaderLeft } from './output.ts';

/**
 * Where what a command says cannot be written, as on a full disk, it ends and says so. A reader that has left ends a list
 * and nothing else: see `Output`.
 */
export function endWhenUnwritable(error: unknown): void {
  if (isReaderLeft(error)) return;
  console.error(explain(error));
  process.exit(1);
}

import { createHash } from 'node:crypto';
import { sql } from 'kysely';

const mark = '/* prepared */';

/**
 * Marks, by `modifyEnd`, a statement that PostgreSQL plans once for each connection, so its text must always be the same,
 * and its best plan not depend on its parameters.
 */
export const prepared = sql.raw(mark);

let names = new Map<string, string>();
let generation = 0;

/** The name of a marked statement: that of its text, so that a pooler never runs another one by it. */
export function nameOfPrepared(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || !text.endsWith(mark)) return known;
  const name = `holdfast_${generation}_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

export function forgetPrepared(): void {
  names = new Map();
  generation += 1;
}

import { createHash } from 'node:crypto';
import { sql } from 'kysely';

const mark = '/* prepared */';

/**
 * Marks a statement that many calls run: PostgreSQL parses and plans it once for each connection, and an equal text runs
 * again by its name. Only for a statement whose text is always the same and whose best plan does not depend on its
 * parameters, so not for a search. Builders take it by `modifyEnd`.
 */
export const prepared = sql.raw(mark);

let names = new Map<string, string>();
let generation = 0;

/** The name of a marked statement: that of its text, so that a pooler never runs another one by it. */
export function nameOfPrepared(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (!text.endsWith(mark)) return undefined;
  const name = `holdfast_${generation}_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

/** Prepares all statements again, because the columns of a table have changed. */
export function forgetPrepared(): void {
  names = new Map();
  generation += 1;
}

import { createHash } from 'node:crypto';
import { sql } from 'kysely';

const mark = '/* prepared */';

/** Marks a statement that PostgreSQL plans once: its text and best plan must always be the same. */
export const prepared = sql.raw(mark);

let names = new Map<string, string>();
let generation = 0;

/** By its text, so that a pooler never runs another one by it. */
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

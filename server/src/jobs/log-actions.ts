import type { Context } from '../context.ts';
import { hours } from '../lib/clock.ts';
import { newRowId } from '../lib/row-id.ts';

/** A user of the database cannot change the server's log. */
export function createActionLog({ db, log, clock }: Pick<Context, 'db' | 'log' | 'clock'>): () => Promise<void> {
  let logged: ReadonlySet<string> = new Set();
  return async () => {
    const entries = await db
      .selectFrom('operator_actions')
      .selectAll()
      .where('id', '>=', newRowId(clock.now() - hours(1)).slice(0, 8))
      .orderBy('id')
      .execute();
    for (const { id, at: _at, details, ...entry } of entries)
      if (!logged.has(id))
        log.info({ event: 'operator-action', ...entry, details: JSON.parse(details) as unknown }, 'security event');
    logged = new Set(entries.map(({ id }) => id));
  };
}

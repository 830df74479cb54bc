import type { Context } from '../context.ts';
import { hours, minutes } from '../lib/clock.ts';
import { newRowId } from '../lib/row-id.ts';

export interface ActionLog extends AsyncDisposable {
  /** Logs the new entries at once. It never rejects. */
  look(): Promise<void>;
}

/**
 * Writes each new entry of the audit log to the server's log, which is kept where a user of the database cannot change it.
 * Entries of the last hour are repeated after a restart.
 */
export function logActions({ db, log, clock }: Pick<Context, 'db' | 'log' | 'clock'>): ActionLog {
  let logged: ReadonlySet<string> = new Set();
  let last: Promise<void> = Promise.resolve();
  const lookOnce = async () => {
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
  const look = () =>
    (last = last.then(lookOnce).catch((error: unknown) => log.warn({ err: error }, 'the audit log could not be read')));
  const timer = setInterval(() => void look(), minutes(1)).unref();
  void look();
  return {
    look,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await last;
    },
  };
}

import type { Context } from '../context.ts';
import { readActionHeads } from '../engines/database/action-chain.ts';
import { minutes } from '../lib/clock.ts';

const lookEvery = minutes(1);
/** Entries logged at once. The hash of the last one covers all before it. */
const mostEntries = 100;

export interface ActionWatch extends AsyncDisposable {
  /** Writes the new entries of the audit log to the server's log at once. It never rejects. */
  look(): Promise<void>;
}

type Parts = Pick<Context, 'db' | 'log'>;

/**
 * Writes each new entry of the audit log with its hash to the server's log within a minute, and the newest hash at the
 * start. That log is kept elsewhere, so it shows that the audit log was computed anew, which the database cannot.
 */
export function watchActions({ db, log }: Parts): ActionWatch {
  let seen: string | null = null;
  let last: Promise<void> = Promise.resolve();
  const lookOnce = async () => {
    const [head = ''] = await readActionHeads(db);
    if (seen === null && head !== '') log.info({ event: 'audit-log', hash: head }, 'the newest entry of the audit log');
    if (seen !== null && head !== seen) await tellNewEntries(db, log, seen, head);
    seen = head;
  };
  const look = () =>
    (last = last.then(lookOnce).catch((error: unknown) => log.warn({ err: error }, 'the audit log could not be read')));
  const timer = setInterval(() => void look(), lookEvery).unref();
  void look();
  return {
    look,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await last;
    },
  };
}

async function tellNewEntries(db: Parts['db'], log: Parts['log'], seen: string, head: string): Promise<void> {
  const entries = [];
  for (let hash = head; hash !== seen && entries.length < mostEntries;) {
    const entry = await entryWith(db, hash);
    if (!entry) break;
    entries.unshift(entry);
    hash = entry.previous;
  }
  // The subject may be an email address, which the audit log alone keeps.
  for (const { operator, sudo_user, action, reference, hash } of entries)
    log.info({ event: 'operator-action', operator, sudo_user, action, reference, hash }, 'security event');
  if (seen !== '' && !(await entryWith(db, seen)))
    log.error({ hash: seen }, 'ALARM: an entry of the audit log has disappeared or was changed');
}

const entryWith = (db: Parts['db'], hash: string) =>
  db
    .selectFrom('operator_actions')
    .select(['operator', 'sudo_user', 'action', 'reference', 'previous', 'hash'])
    .where('hash', '=', hash)
    .executeTakeFirst();

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

interface Seen {
  /** Hash of the newest entry; empty without one. */
  readonly head: string;
  /** The largest id, from which entries are found if the chain is broken. */
  readonly lastId: string;
}

/**
 * Writes each new entry of the audit log with its hash to the server's log within a minute, and the newest hash at the
 * start. That log is kept elsewhere, so it shows that the audit log was computed anew, which the database cannot.
 */
export function watchActions({ db, log }: Parts): ActionWatch {
  let seen: Seen | null = null;
  let last: Promise<void> = Promise.resolve();
  const reported = new Set<string>();
  const reportMissing = (hash: string) => {
    if (!reported.has(hash)) log.error({ hash }, 'ALARM: an entry of the audit log has disappeared or was changed');
    reported.add(hash);
  };
  const lookOnce = async () => {
    const lastId = await readLastId(db);
    const [head = ''] = await readActionHeads(db);
    const { entries, missing } = seen === null ? await checkHead(db, head) : await readNewEntries(db, seen, head);
    if (seen === null && head !== '' && missing.length === 0)
      log.info({ event: 'audit-log', hash: head }, 'the newest entry of the audit log');
    // The subject may be an email address, which the audit log alone keeps.
    for (const { operator, sudo_user, action, reference, hash } of entries)
      log.info({ event: 'operator-action', operator, sudo_user, action, reference, hash }, 'security event');
    missing.forEach(reportMissing);
    seen = { head, lastId };
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

type Entry = NonNullable<Awaited<ReturnType<typeof entryWith>>>;

interface News {
  /** The oldest first. */
  readonly entries: readonly Entry[];
  /** Hashes of entries that are no longer there. */
  readonly missing: readonly string[];
}

async function checkHead(db: Parts['db'], head: string): Promise<News> {
  return { entries: [], missing: head !== '' && !(await entryWith(db, head)) ? [head] : [] };
}

/** Follows the chain back to the entry seen last. If one is missing on the way, the others are found by their ids. */
async function readNewEntries(db: Parts['db'], seen: Seen, head: string): Promise<News> {
  const entries: Entry[] = [];
  const missing = seen.head !== '' && !(await entryWith(db, seen.head)) ? [seen.head] : [];
  for (let hash = head; hash !== seen.head && hash !== '' && entries.length < mostEntries;) {
    const entry = await entryWith(db, hash);
    if (!entry) return { entries: await entriesAfter(db, seen.lastId), missing: [...missing, hash] };
    entries.unshift(entry);
    hash = entry.previous;
  }
  return { entries, missing };
}

const selectEntries = (db: Parts['db']) =>
  db.selectFrom('operator_actions').select(['operator', 'sudo_user', 'action', 'reference', 'previous', 'hash']);

const entryWith = (db: Parts['db'], hash: string) => selectEntries(db).where('hash', '=', hash).executeTakeFirst();

async function entriesAfter(db: Parts['db'], id: string): Promise<Entry[]> {
  const newestFirst = selectEntries(db).where('id', '>', id).orderBy('id', 'desc').limit(mostEntries);
  return (await newestFirst.execute()).toReversed();
}

async function readLastId(db: Parts['db']): Promise<string> {
  const row = await db
    .selectFrom('operator_actions')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst();
  return row?.id ?? '';
}

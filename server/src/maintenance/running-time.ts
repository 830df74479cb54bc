/**
 * How long the service has run. Nobody can use a file or sign in while no process runs, so rules that delete what nobody
 * uses leave such times out. A clock that jumps ahead looks like an outage, and ages nothing either.
 */
import { autoDeleteDays } from '@holdfast/contract/src/rules.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../engines/database/database.ts';
import { clockSkew, days, hours } from '../lib/clock.ts';

/** A longer gap between two heartbeats is an outage. */
const longestPause = hours(1);
const heartbeat = 'heartbeat';
const restored = 'restored';
/** No rule looks further back: what ended before counts for nothing any more. */
const longestRule = days(autoDeleteDays.max + 10);

type Parts = Pick<Context, 'db' | 'clock'>;

export interface RunningTime {
  /** When it was read. */
  readonly now: number;
  /** The moment since which the service has run for `span` milliseconds. It may lie before 1970. */
  limitOf(span: number): number;
  /** When a backup was last restored, 0 for never: what was noted before says nothing of what happened after the backup. */
  readonly restoredAt: number;
}

export interface Outage {
  readonly began_at: number;
  readonly ended_at: number;
}

/** Notes that a process runs at this moment, and what lies between this and the last time when that is an outage. */
export async function noteRunning({ db, clock }: Parts): Promise<void> {
  const now = clock.now();
  const noted = await db
    .updateTable('service_facts')
    .set((eb) => ({ at: eb.case().when('at', '<', now).then(now).else(eb.ref('at')).end() }))
    .where('name', '=', heartbeat)
    .where('at', '>=', now - longestPause)
    .where('at', '<=', now + clockSkew)
    .executeTakeFirst();
  if (Number(noted.numUpdatedRows) === 0) await db.transaction().execute((tx) => noteGap(tx, now));
}

async function noteGap(tx: Transaction, now: number): Promise<void> {
  const last = await holdHeartbeat(tx, now);
  // What lies ahead is of a clock that has jumped back since.
  await tx.deleteFrom('outages').where('began_at', '>=', now).execute();
  await tx.updateTable('outages').set({ ended_at: now }).where('ended_at', '>', now).execute();
  await tx.updateTable('service_facts').set({ at: now }).where('name', '=', restored).where('at', '>', now).execute();
  if (last < now - longestPause) await addOutage(tx, { began_at: last, ended_at: now });
  if (last < now || last > now + clockSkew)
    await tx.updateTable('service_facts').set({ at: now }).where('name', '=', heartbeat).execute();
}

/** Of several processes that come back at once, one notes the gap and the others find it noted. */
async function holdHeartbeat(tx: Transaction, now: number): Promise<number> {
  const { at } = await tx
    .insertInto('service_facts')
    .values({ name: heartbeat, at: Math.min((await lastOutageEnd(tx)) ?? now, now) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ at: eb.ref('service_facts.at') })))
    .returning('at')
    .executeTakeFirstOrThrow();
  return at;
}

async function addOutage(tx: Transaction, { began_at, ended_at }: Outage): Promise<void> {
  // Nothing ran between one that reaches up to here and this one.
  const extended = await tx
    .updateTable('outages')
    .set({ ended_at })
    .where('ended_at', '>=', began_at)
    .executeTakeFirst();
  if (Number(extended.numUpdatedRows) === 0) await tx.insertInto('outages').values({ began_at, ended_at }).execute();
  const outages = await tx.selectFrom('outages').selectAll().execute();
  const oldest = momentBefore(ended_at, outages, longestRule);
  await tx.deleteFrom('outages').where('ended_at', '<=', oldest).execute();
}

/** Where no heartbeat is known, because rows were restored, the service has last run when the last outage ended. */
async function lastOutageEnd(db: Context['db']): Promise<number | null> {
  const row = await db
    .selectFrom('outages')
    .select((eb) => eb.fn.max('ended_at').as('ended_at'))
    .executeTakeFirst();
  return row?.ended_at ?? null;
}

/** To be read once for a run. A gap that lasts until now is left out whether or not it is noted yet. */
export async function readRunningTime({ db, clock }: Parts): Promise<RunningTime> {
  const now = clock.now();
  // Before the outages: a gap that another process notes in between is seen twice, and not overlooked.
  const facts = await db
    .selectFrom('service_facts')
    .select(['name', 'at'])
    .where('name', 'in', [heartbeat, restored])
    .execute();
  const factAt = (name: string) => facts.find((fact) => fact.name === name)?.at;
  const last = factAt(heartbeat) ?? (await lastOutageEnd(db)) ?? now;
  const noted = await db.selectFrom('outages').selectAll().execute();
  const outages = last < now - longestPause ? [...noted, { began_at: last, ended_at: now }] : noted;
  return { now, limitOf: (span) => momentBefore(now, outages, span), restoredAt: factAt(restored) ?? 0 };
}

/** The moment from which to `now` there are `span` milliseconds without those in `outages`, which may overlap. */
export function momentBefore(now: number, outages: readonly Outage[], span: number): number {
  let moment = now;
  let left = span;
  for (const { began_at, ended_at } of outages.toSorted((a, b) => b.ended_at - a.ended_at)) {
    const ran = Math.max(0, moment - ended_at);
    if (ran >= left) break;
    left -= ran;
    moment = Math.min(moment, began_at);
  }
  return moment - left;
}

/**
 * Running time of the service. While no process runs, no file can be used and no owner can sign in, so rules that
 * delete unused files leave out such times. A clock that jumps ahead looks like an outage and ages nothing either.
 */
import { autoDeleteDays } from '@holdfast/contract/src/limits.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../engines/database/database.ts';
import { readFact } from '../engines/database/service-facts.ts';
import { clockSkew, days, hours } from '../lib/clock.ts';

/** A longer gap between two heartbeats is an outage. */
const longestPause = hours(1);
const heartbeat = 'heartbeat';
const restored = 'restored';
/** Name of the fact about the last jump of a clock: see `clock-hold`. */
export const clockJumpFact = 'clock jump';
/** No rule looks further back, so outages that ended earlier are ignored. */
const longestRule = days(autoDeleteDays.max + 10);

type Parts = Pick<Context, 'db' | 'clock'>;

export interface RunningTime {
  /** Time at which it was read. */
  readonly now: number;
  /** The moment since which the service has run for `span` milliseconds. It may lie before 1970. */
  limitOf(span: number): number;
  /** Milliseconds for which the service has run since `moment`; negative if that is in the future. */
  ranSince(moment: number): number;
  /**
   * Time of the last restore of a backup, 0 for never: earlier notes say nothing about what happened after the backup.
   */
  readonly restoredAt: number;
}

export interface Outage {
  readonly began_at: number;
  readonly ended_at: number;
}

/** Records that a process runs now, and the gap since the last record if it is an outage. */
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

/** Returns when a process last recorded that it runs, or null if none ever did. */
export async function lastHeartbeat(db: Context['db']): Promise<number | null> {
  return (await readFact(db, heartbeat))?.at ?? null;
}

async function noteGap(tx: Transaction, now: number): Promise<void> {
  const last = await holdHeartbeat(tx, now);
  // Times in the future were written by a clock that has jumped back since.
  await tx.deleteFrom('outages').where('began_at', '>=', now).execute();
  await tx.updateTable('outages').set({ ended_at: now }).where('ended_at', '>', now).execute();
  await tx
    .updateTable('service_facts')
    .set({ at: now })
    .where('name', 'in', [restored, clockJumpFact])
    .where('at', '>', now)
    .execute();
  if (last < now - longestPause) await addOutage(tx, { began_at: last, ended_at: now });
  if (last < now || last > now + clockSkew)
    await tx.updateTable('service_facts').set({ at: now }).where('name', '=', heartbeat).execute();
}

/** If several processes come back at once, one records the gap and the others find it recorded. */
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
  // No process ran between an outage that reaches up to here and this one, so they are merged.
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

/**
 * Without a known heartbeat, because rows were restored, the end of the last outage counts as the last time the service
 * ran.
 */
async function lastOutageEnd(db: Context['db']): Promise<number | null> {
  const row = await db
    .selectFrom('outages')
    .select((eb) => eb.fn.max('ended_at').as('ended_at'))
    .executeTakeFirst();
  return row?.ended_at ?? null;
}

/** Call it once per run. A gap that lasts until now is left out whether or not it is recorded yet. */
export async function readRunningTime({ db, clock }: Parts): Promise<RunningTime> {
  const now = clock.now();
  // Read before the outages: a gap that another process records in between is then seen twice instead of being missed.
  const facts = await db
    .selectFrom('service_facts')
    .select(['name', 'at'])
    .where('name', 'in', [heartbeat, restored])
    .execute();
  const factAt = (name: string) => facts.find((fact) => fact.name === name)?.at;
  const last = factAt(heartbeat) ?? (await lastOutageEnd(db)) ?? now;
  const noted = await db.selectFrom('outages').selectAll().execute();
  const outages = last < now - longestPause ? [...noted, { began_at: last, ended_at: now }] : noted;
  return {
    now,
    limitOf: (span) => momentBefore(now, outages, span),
    ranSince: (moment) => timeBetween(moment, now, outages),
    restoredAt: factAt(restored) ?? 0,
  };
}

/** Returns the milliseconds from `moment` until `now` without `outages`, which may overlap. */
function timeBetween(moment: number, now: number, outages: readonly Outage[]): number {
  let ran = now - moment;
  let counted = moment;
  for (const { began_at, ended_at } of outages.toSorted((a, b) => a.began_at - b.began_at)) {
    ran -= Math.max(0, Math.min(ended_at, now) - Math.max(began_at, counted));
    counted = Math.max(counted, ended_at);
  }
  return ran;
}

/** Returns the moment from which `span` milliseconds pass until `now` without `outages`, which may overlap. */
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

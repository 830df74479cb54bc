/**
 * Hits by day, in UTC. On the first hit of a day the hits before it are noted, so the hits of a day are the difference
 * to the next one, and no other hit of the day writes anything here.
 */
import type { HitsOfDay } from '@holdfast/contract/src/file-page.ts';
import { days } from '../lib/clock.ts';
import type { Database } from '../storage/db/database.ts';

const mostDays = 366;

/** Days since 1970. */
export const dayOf = (time: number): number => Math.floor(time / days(1));

type Entry = readonly [day: number, hitsBefore: number];

const entriesIn = (text: string | null): Entry[] => (text === null ? [] : (JSON.parse(text) as Entry[]));

/** Must run before the hits are written. */
export async function noteHitDays(db: Database, fileIds: readonly string[], day: number): Promise<void> {
  const found = await db
    .selectFrom('files')
    .leftJoin('hit_days', 'hit_days.file_id', 'files.id')
    .select(['files.id', 'hits', 'days'])
    .where('files.id', 'in', fileIds)
    .where('deleted_at', 'is', null)
    // All processes write in one order.
    .orderBy('files.id')
    .execute();
  const changed = found.flatMap(({ id, hits, days: text }) => {
    const entries = entriesIn(text);
    // Not below: the clock may have been set back.
    if ((entries.at(-1)?.[0] ?? -1) >= day) return [];
    return { file_id: id, days: JSON.stringify([...entries, [day, hits]].slice(-mostDays)) };
  });
  if (changed.length === 0) return;
  await db
    .insertInto('hit_days')
    .values(changed)
    .onConflict((conflict) => conflict.column('file_id').doUpdateSet((eb) => ({ days: eb.ref('excluded.days') })))
    .execute();
}

/** Of the last 366 days, oldest first. Days without hits are left out. */
export async function readHitDays(
  db: Database,
  file: { readonly id: string; readonly hits: number },
  today: number,
): Promise<HitsOfDay[]> {
  const row = await db.selectFrom('hit_days').select('days').where('file_id', '=', file.id).executeTakeFirst();
  const entries = entriesIn(row?.days ?? null);
  return entries
    .map(([day, hitsBefore], at) => ({ day, hits: (entries[at + 1]?.[1] ?? file.hits) - hitsBefore }))
    .filter(({ day, hits }) => day > today - mostDays && hits > 0)
    .map(({ day, hits }) => ({ day: new Date(day * days(1)).toISOString().slice(0, 10), hits }));
}

/** A service and its restored copy have one id. In one folder, a restore would bring back either of them. */
import { randomUUID } from 'node:crypto';
import { serviceIdFact } from '../../storage/blobs/storage-owner.ts';
import type { Database, Transaction } from '../../storage/db/database.ts';
import { readFact, writeFact } from '../../storage/db/service-facts.ts';
import { type FoundBackup, UnusableBackup } from './manifest.ts';

export const livesFact = 'lives';

interface Lives {
  readonly own: string;
  /** Those whose backups this one continues, and until when. */
  readonly earlier: Readonly<Record<string, number>>;
}

/** The life of a database begins with its first backup or with a restore. */
export async function ensureLife(db: Database, now: number): Promise<void> {
  if (await readFact(db, livesFact)) return;
  await db
    .insertInto('service_facts')
    .values({ name: livesFact, value: JSON.stringify({ own: randomUUID(), earlier: {} } satisfies Lives), at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** `found` are the backups of the folder, also those that were made after the restored one. */
export async function beginLife(tx: Transaction, found: readonly FoundBackup[], now: number): Promise<void> {
  const copied = await readLives(tx);
  const ended = [...found.map(({ manifest }) => manifest.life), copied?.own].filter((life) => life !== undefined);
  const until = Math.max(now, ...found.map(({ manifest }) => manifest.taken_at));
  const earlier = { ...copied?.earlier, ...Object.fromEntries(ended.map((life) => [life, until])) };
  await writeFact(tx, livesFact, { value: JSON.stringify({ own: randomUUID(), earlier } satisfies Lives), at: now });
}

export async function readLives(db: Database): Promise<Lives | null> {
  const fact = await readFact(db, livesFact);
  return fact && (JSON.parse(fact.value) as Lives);
}

/** @throws {UnusableBackup} unless it is of this database, or of one that it was restored from. */
export async function requireOwn({ root, path, manifest }: FoundBackup, db: Database): Promise<void> {
  const { service, life, taken_at } = manifest;
  if (service !== null && service !== (await readFact(db, serviceIdFact))?.value)
    throw new UnusableBackup(`${root} has backups of another service. Name another folder.`);
  const lives = await readLives(db);
  // Earlier versions noted none.
  if (life === undefined || life === lives?.own || taken_at <= (lives?.earlier[life] ?? -Infinity)) return;
  throw new UnusableBackup(
    `${path} is of another database of this service, such as a restored copy, or the one that this is a copy of. Name ` +
      'another folder, or restore that backup into a new database.',
  );
}

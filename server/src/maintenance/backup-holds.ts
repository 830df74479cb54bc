/**
 * A backup lists the bytes that it needs and then copies them, which may take hours. A hold in the database keeps the
 * purge of every process from deleting bytes in the meantime.
 */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../context.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { Schema } from '../engines/database/schema.ts';
import { days, hours, minutes } from '../lib/clock.ts';

/** A backup that has not renewed its hold for this long is considered dead. */
const holdFor = hours(2);
const renewEvery = minutes(1);
/** A backup that hangs must not keep deleted files forever: the public texts promise their removal within a week. */
const longestBackup = days(3);
const turn = 'turn of backups and purge';

type Parts = Pick<Context, 'db' | 'clock'>;

/** Keeps all stored bytes until it is disposed. Begin it before the list of the bytes is made. */
export async function holdBytes(context: Parts): Promise<AsyncDisposable> {
  const { db, clock } = context;
  const id = randomUUID();
  const beganAt = performance.now();
  await db.transaction().execute(async (tx) => {
    await takeTurn(tx);
    await tx
      .deleteFrom('backup_holds')
      .where((eb) => eb.not(isAlive(eb, clock.now())))
      .execute();
    await tx
      .insertInto('backup_holds')
      .values({ id, held_until: clock.now() + holdFor })
      .execute();
  });
  const renew = async () => {
    if (performance.now() - beganAt > longestBackup) return;
    const renewed = { held_until: clock.now() + holdFor };
    await db.updateTable('backup_holds').set(renewed).where('id', '=', id).execute();
  };
  // A failed renewal is followed by many others before the hold ends.
  const timer = setInterval(() => void renew().catch(() => {}), renewEvery).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await db.deleteFrom('backup_holds').where('id', '=', id).execute();
    },
  };
}

/** @throws {Failure} INVALID_INPUT while a backup is copying bytes. */
export async function refuseWhileHeld(context: Parts): Promise<void> {
  if (await areBytesHeld(context)) throw bytesAreHeld();
}

export const bytesAreHeld = (): Failure =>
  new Failure('INVALID_INPUT', 'A backup is copying the stored bytes. Try again after it has ended.');

async function areBytesHeld({ db, clock }: Parts): Promise<boolean> {
  const held = db.selectFrom('backup_holds').select('id');
  return (await held.where((eb) => isAlive(eb, clock.now())).executeTakeFirst()) !== undefined;
}

/**
 * Runs `deletion` in a transaction, unless a backup is copying bytes: then it returns null. A hold that begins in the
 * meantime waits for the commit, so the list of its backup does not contain these bytes any more.
 */
export async function unlessHeld<T>(
  { db, clock }: Parts,
  deletion: (tx: Transaction) => Promise<T>,
): Promise<T | null> {
  return db.transaction().execute(async (tx) => {
    await takeTurn(tx);
    return (await areBytesHeld({ db: tx, clock })) ? null : deletion(tx);
  });
}

/** Locks one row until the transaction ends. */
async function takeTurn(tx: Transaction): Promise<void> {
  await tx
    .insertInto('service_facts')
    .values({ name: turn })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
    .execute();
}

const isAlive = (eb: ExpressionBuilder<Schema, 'backup_holds'>, now: number) => eb('held_until', '>', now);

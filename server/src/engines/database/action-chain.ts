/**
 * The audit log is a hash chain, so that a change or a missing entry shows: each entry has the hash of the one before
 * it, and a hash over that and over its own columns. The hash of the newest entry, the head, is a fact of the service;
 * it changes in the transaction of each entry, which also makes writers wait for each other. Servers write heads to
 * their log, so that even a chain that was computed anew differs from what the log says.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from './database.ts';
import { allowChangesToActions, refuseChangesToActions } from './refuse-changes-to-actions.ts';
import { readFact, writeFact } from './service-facts.ts';

export interface ActionEntry {
  readonly id: string;
  readonly at: number;
  readonly operator: string;
  readonly sudo_user: string | null;
  readonly action: string;
  readonly subject: string;
  readonly reference: string | null;
  /** JSON. */
  readonly details: string;
}

interface Link {
  /** Hash of the entry before; empty for the first. */
  readonly previous: string;
  readonly hash: string;
}

export function linkAction(entry: ActionEntry, previous: string): Link {
  const { id, at, operator, sudo_user, action, subject, reference, details } = entry;
  const columns = [previous, id, at, operator, sudo_user, action, subject, reference, details];
  return { previous, hash: createHash('sha256').update(JSON.stringify(columns)).digest('hex') };
}

const headsFact = 'heads of the audit log';

/**
 * Hash before an entry that is added while the fact is missing. No entry has it, so the loss of the fact still shows
 * when the new entry has written it again.
 */
const unknownHead = 'unknown';

/**
 * Returns the hash of the newest entry, and after it those of chains that ended: a restore puts the chain of the backup
 * beside the entries that the new database already has.
 */
export async function readActionHeads(db: Database): Promise<readonly string[]> {
  return split((await readFact(db, headsFact))?.value ?? '');
}

/** The migration that began the chain wrote the fact, and nothing deletes it, even without entries. */
export async function areActionHeadsMissing(db: Database): Promise<boolean> {
  return (await readFact(db, headsFact)) === null;
}

export async function appendAction(tx: Transaction, entry: ActionEntry): Promise<void> {
  const [previous = '', ...ended] = await lockHeads(tx, entry.at);
  const link = linkAction(entry, previous);
  await tx
    .insertInto('operator_actions')
    .values({ ...entry, ...link })
    .execute();
  await writeHeads(tx, [link.hash, ...ended], entry.at);
}

/** Finds the heads again after a restore has inserted entries. */
export async function noteRestoredHeads(tx: Transaction, now: number): Promise<void> {
  await lockHeads(tx, now);
  await writeHeads(
    tx,
    (await looseEnds(tx)).map(({ hash }) => hash),
    now,
  );
}

/** Returns the entries without a successor, the newest first. */
export async function looseEnds(db: Database): Promise<readonly { id: string; hash: string }[]> {
  const { rows } = await sql<{ id: string; hash: string }>`
    SELECT id, hash FROM operator_actions
    WHERE NOT EXISTS (SELECT 1 FROM operator_actions AS later WHERE later.previous = operator_actions.hash)
    ORDER BY id DESC`.execute(db);
  return rows;
}

/** Links the entries from before the chain. */
export async function chainActions(tx: Transaction): Promise<void> {
  await allowChangesToActions(tx);
  const entries = await tx.selectFrom('operator_actions').selectAll().orderBy('id').execute();
  let head = '';
  for (const entry of entries) {
    const link = linkAction(entry, head);
    await tx.updateTable('operator_actions').set(link).where('id', '=', entry.id).execute();
    head = link.hash;
  }
  await writeHeads(tx, split(head), Date.now());
  await refuseChangesToActions(tx);
}

/** A fact that is written is locked until the transaction ends, so that two entries cannot follow the same one. */
async function lockHeads(tx: Transaction, at: number): Promise<readonly string[]> {
  const { value } = await tx
    .insertInto('service_facts')
    .values({ name: headsFact, value: unknownHead, at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ at }))
    .returning('value')
    .executeTakeFirstOrThrow();
  return split(value);
}

const writeHeads = (tx: Transaction, heads: readonly string[], at: number): Promise<void> =>
  writeFact(tx, headsFact, { value: heads.join(' '), at });

const split = (value: string): readonly string[] => value.split(' ').filter((hash) => hash !== '');

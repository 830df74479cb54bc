import { crc32 } from 'node:zlib';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { keyChangedEmail } from '../email/templates.ts';
import { giveBack, spend, take } from '../http/rate-limits.ts';
import { deriveKey, sha256Hex } from '../lib/derive-key.ts';
import { base62, randomText } from '../lib/random-text.ts';
import { openSealed, seal } from '../lib/seal.ts';
import { UnusableSetting } from '../config/setting-errors.ts';
import { prepared } from '../storage/db/prepared.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { readFact, writeFact } from '../storage/db/service-facts.ts';
import { rowsOf, statement } from '../storage/db/statement.ts';
import type { Caller } from './identify.ts';
import { changeAs } from './lock-caller.ts';

/** `hf_`, 40 base62 characters, and a 6-character checksum that rejects a mistyped key without a query. */
export function newApiKey(): string {
  const body = `hf_${randomText(40)}`;
  return body + checksum(body);
}

export function renewedKey(context: Pick<Context, 'secret'>, accountId: string) {
  const key = newApiKey();
  return {
    key,
    columns: { key_hash: apiKeyHash(key), key_sealed: sealApiKey(context, accountId, key), key_used_at: 0 },
  };
}

export function looksLikeApiKey(text: string): boolean {
  return /^hf_[0-9A-Za-z]{46}$/.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

export const apiKeyHash = sha256Hex;

export async function findAccountOfKey({ db }: Pick<Context, 'db'>, key: string): Promise<AccountRow | undefined> {
  if (!looksLikeApiKey(key)) return undefined;
  const [account] = await rowsOf(db, accountOfKey(db, { keyHash: apiKeyHash(key) }));
  return account;
}

const accountOfKey = statement((db, { keyHash }: { readonly keyHash: string }) =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .where('closed_at', 'is', null)
    .modifyEnd(prepared),
);

function checksum(body: string): string {
  let text = '';
  for (let rest = crc32(body), i = 0; i < 6; i += 1, rest = Math.floor(rest / 62))
    text = base62.charAt(rest % 62) + text;
  return text;
}

export function sealApiKey({ secret }: Pick<Context, 'secret'>, accountId: string, key: string): string {
  return seal(deriveKey(secret, 'api key'), accountId, key);
}

/** Returns an empty string if the key was sealed with a different service secret. */
export function openApiKey({ secret }: Pick<Context, 'secret'>, accountId: string, sealed: string): string {
  try {
    return openSealed(deriveKey(secret, 'api key'), accountId, sealed);
  } catch {
    return '';
  }
}

/**
 * One email announces several changes in a row.
 * @throws {Failure} TOO_MANY_ATTEMPTS, AUTH_REQUIRED.
 */
export async function changeApiKey(context: Context, caller: Caller): Promise<string> {
  const { id, email } = caller.account;
  await spend(context, 'key changes', id);
  const { key, columns } = renewedKey(context, id);
  const { allowed: isTold } = await take(context, 'key emails', id);
  const store = changeAs(context, caller, async (tx) => {
    await tx.updateTable('accounts').set(columns).where('id', '=', id).execute();
    if (isTold) await queueEmail({ ...context, db: tx }, keyChangedEmail(context, email));
  });
  try {
    await store;
  } catch (error) {
    // Otherwise the owner would not be told of the next try. The counters may be away too.
    if (isTold) await giveBack(context, 'key emails', id).catch(() => {});
    throw error;
  }
  return key;
}

export const secretFact = 'secret key';

type Sealing = Pick<Context, 'db' | 'secret' | 'clock'>;

/** With another key nothing that was sealed could be shown, and new rows would be sealed with the wrong one. */
export async function checkSecret(context: Sealing): Promise<void> {
  if (await isNotedSecret(context)) return;
  if (!(await opensNewestKey(context))) throw refusedSecret();
  await acceptSecret(context);
}

/** Returns false if no server has noted one yet. */
export async function isNotedSecret(context: Pick<Context, 'db' | 'secret'>): Promise<boolean> {
  const noted = await readFact(context.db, secretFact);
  if (noted && noted.value !== digestOf(context)) throw refusedSecret();
  return noted !== null;
}

const refusedSecret = () => new UnusableSetting('SECRET_KEY', new Error(otherSecret));

const otherSecret =
  'it, or secret.key in DATA_DIR, is not the one that API keys were sealed with. Put the old one back. If it is lost, ' +
  "'holdfast migrate --new-secret-key' accepts this one: old API keys work, but cannot be shown until they are changed";

export async function acceptSecret({ db, clock, secret }: Sealing): Promise<void> {
  await writeFact(db, secretFact, { value: digestOf({ secret }), at: clock.now() });
}

const digestOf = ({ secret }: Pick<Context, 'secret'>) => deriveKey(secret, 'canary').toString('hex');

async function opensNewestKey(context: Sealing): Promise<boolean> {
  const newest = await context.db
    .selectFrom('accounts')
    .select(['id', 'key_sealed'])
    .where('closed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return !newest || openApiKey(context, newest.id, newest.key_sealed) !== '';
}

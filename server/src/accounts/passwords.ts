import { Failure } from '@holdfast/contract/src/errors.ts';
import { isMadeFromSite, tooCommon } from '@holdfast/contract/src/guessable.ts';
import { hash, verify } from '@node-rs/argon2';
import type { dictionary as Dictionary } from '@zxcvbn-ts/language-common';
import { createRequire } from 'node:module';
import type { Context } from '../context.ts';
import type { PasswordCost } from '../lib/password-cost.ts';
import { createSemaphore, QueueFull } from '../lib/semaphore.ts';

/** Hashing uses the thread pool that file reads need. The queue takes about two seconds. */
const queue = createSemaphore(2, 50);

interface Attempt {
  readonly gone?: AbortSignal;
  /** Gives back the attempts that were counted: those that find the queue full do not count. */
  readonly forgive?: () => Promise<unknown>;
}

async function inTurn<T>(work: () => Promise<T>, { gone, forgive }: Attempt): Promise<T> {
  try {
    return await queue(work, gone);
  } catch (error) {
    if (error instanceof QueueFull) await forgive?.();
    throw error;
  }
}

/** Keyboards write é as one code point or two. RFC 8265 section 4.2.2 prescribes Normalization Form C. */
const composed = (password: string) => password.normalize('NFC');

/**
 * `gone` takes a caller that has disconnected out of the queue.
 * @throws {QueueFull}
 */
export const hashPassword = (password: string, cost: PasswordCost, attempt: Attempt = {}): Promise<string> =>
  inTurn(() => hash(composed(password), cost), attempt);

export interface PasswordCheck extends Required<Attempt> {
  readonly cost: PasswordCost;
}

/**
 * Without a hash it takes the same time, so that timing does not reveal whether an email address has an account. A right
 * password does not count as an attempt.
 * @throws {QueueFull}
 */
export async function isRightPassword(
  password: string,
  hashed: string | undefined,
  { cost, ...attempt }: PasswordCheck,
): Promise<boolean> {
  const matches = (typed: string) => inTurn(async () => verify(hashed ?? (await unmatchable(cost)), typed), attempt);
  // Older hashes may have been made from the other form.
  const isMatch = (await matches(composed(password))) || (composed(password) !== password && (await matches(password)));
  const isRight = isMatch && hashed !== undefined;
  if (isRight) await attempt.forgive();
  return isRight;
}

const unmatchables = new Map<PasswordCost, Promise<string>>();

function unmatchable(cost: PasswordCost): Promise<string> {
  const made = unmatchables.get(cost) ?? hash('no account has this password', cost);
  unmatchables.set(cost, made);
  return made;
}

/** @throws {Failure} INVALID_INPUT. */
export function refuseCommonPassword({ config }: Pick<Context, 'config'>, password: string, email: string): void {
  const isName = [password, undisguised(password)].some((text) => isMadeFromSite(text, config.site.name));
  if (isMostUsed(password) || isMadeFromEmail(password, email) || isName) throw new Failure('INVALID_INPUT', tooCommon);
}

/** Shorter names occur in too many good passwords. */
const shortestName = 4;
/** So many are guessed with digits and symbols around them, or in place of letters. */
const oftenDisguised = 2_000;

function isMadeFromEmail(password: string, email: string): boolean {
  const text = plain(password);
  const name = plain(email.slice(0, email.lastIndexOf('@')));
  return name.length >= shortestName && (text === plain(email) || withoutEnds(text) === withoutEnds(name));
}

const withoutEnds = (text: string) => text.replaceAll(/^\d+|\d+$/g, '');

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const undisguised = (password: string) =>
  password
    .toLowerCase()
    .replaceAll(/^\P{L}{1,8}(?=\p{L})|(?<=\p{L})\P{L}{1,8}$/gu, '')
    .replaceAll(/[@$0-9]/g, (sign) => letters[sign] ?? sign);

function isMostUsed(password: string): boolean {
  ranks ??= new Map(mostUsed().map((listed, rank) => [listed, rank]));
  const text = password.toLowerCase();
  const word = undisguised(password);
  return (
    ranks.has(text) ||
    ranks.has(plain(text)) ||
    (word.length >= shortestName && (ranks.get(word) ?? Infinity) < oftenDisguised)
  );
}

const letters: Readonly<Record<string, string>> = { '@': 'a', 4: 'a', 3: 'e', 1: 'i', 0: 'o', $: 's', 5: 's', 7: 't' };

let ranks: ReadonlyMap<string, number> | undefined;

/** Nearly 50,000, most used first. The library unpacks its lists when it is loaded, and most commands need none. */
function mostUsed(): readonly string[] {
  const require = createRequire(import.meta.url);
  const { dictionary } = require('@zxcvbn-ts/language-common') as { readonly dictionary: typeof Dictionary };
  return dictionary['passwords-common'];
}

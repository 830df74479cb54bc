import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { apiKeyHash, newApiKey, sealApiKey } from '@holdfast/server/src/accounts/api-key.ts';
import { emailKey } from '@holdfast/server/src/accounts/find-account.ts';
import { hashPassword } from '@holdfast/server/src/accounts/passwords.ts';
import { type PasswordCost, standardCost } from '@holdfast/server/src/lib/password-cost.ts';
import { sha256Hex } from '@holdfast/server/src/lib/derive-key.ts';
import { randomText } from '@holdfast/server/src/lib/random-text.ts';
import { newRowId } from '@holdfast/server/src/lib/row-id.ts';

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly plan: PlanLevel;
  /** Time of the sign-up, in milliseconds. */
  readonly now: number;
  /** The secret of the service. */
  readonly secret: Buffer;
  readonly passwordCost?: PasswordCost;
}

/**
 * The rows of an account that has signed up, been verified and signed in, for tests that do not test this: the calls
 * take tens of milliseconds each. `sign-up.test.ts` compares them with the rows that the calls make.
 */
export async function newAccountRows({ email, password, plan, now, secret, passwordCost = standardCost }: NewAccount) {
  const id = newRowId(now);
  const apiKey = newApiKey();
  return {
    apiKey,
    ...newSessionRow(id, now),
    account: {
      id,
      email,
      email_key: emailKey(email),
      name: email.slice(0, email.indexOf('@')),
      password_hash: await hashOnce(password, passwordCost),
      level: plan,
      granted_level: plan,
      key_hash: apiKeyHash(apiKey),
      key_sealed: sealApiKey({ secret }, id, apiKey),
      created_at: now,
      last_active_at: now,
      signed_in_at: now,
      verified_at: now,
    },
  };
}

export function newSessionRow(account_id: string, now: number, agent = 'node') {
  const sessionToken = randomText(43);
  const times = { created_at: now, last_seen_at: now, confirmed_at: now };
  const token_hash = sha256Hex(sessionToken);
  return {
    sessionToken,
    session: { token_hash, id: randomText(22), account_id, agent, address: '127.0.0.1', ...times },
  };
}

const hashes = new Map<string, Promise<string>>();

function hashOnce(password: string, cost: PasswordCost): Promise<string> {
  const key = `${password} ${cost.memoryCost}`;
  const hash = hashes.get(key) ?? hashPassword(password, cost);
  hashes.set(key, hash);
  return hash;
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@holdfast/contract/src/client.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Holdfast } from './holdfast.ts';

export interface Account {
  readonly email: string;
  readonly apiKey: string;
  /** The address of its client. Rate limits count by address, and one account must not use up another's. */
  readonly localAddress: string;
}

export const password = 'Correct-Horse-7';
let accounts = 0;

export async function openAccount(server: Holdfast, plan: PlanLevel): Promise<Account> {
  accounts += 1;
  const email = `bench${accounts}@example.com`;
  const apiKey = await signUp(server, email);
  setPlan(server, email, plan);
  return { email, apiKey, localAddress: `127.0.1.${accounts}` };
}

/**
 * Signs up, reads the code from the outbox, verifies and signs in over the API, as a person would. Returns the API key.
 */
export async function signUp(
  { url, dataDir }: Pick<Holdfast, 'url' | 'dataDir'>,
  email: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const client = createClient(fetchWithCookies(headers), { origin: url });
  await client.createAccount({ body: { email, password, password2: password } });
  await client.verifyEmail({ body: { code: await newestCode(join(dataDir, 'outbox'), email) } });
  await client.login({ body: { email, password } });
  const { account } = await client.getAccountInfo();
  return account.info.api_key;
}

function fetchWithCookies(own: Readonly<Record<string, string>>): typeof fetch {
  const cookies = new Map<string, string>();
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    let answer = await fetch(input, { ...init, headers });
    // Two accounts at once make more calls than one address may make in a second.
    while (answer.status === 429) {
      await setTimeout(Number(answer.headers.get('Retry-After')) * 1000);
      answer = await fetch(input, { ...init, headers });
    }
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
}

async function newestCode(outbox: string, address: string): Promise<string> {
  // The email arrives after the response.
  for (let looked = 0; looked < 500; looked += 1) {
    const emails = (await readdir(outbox)).filter((name) => name.endsWith('.eml')).toSorted();
    for (const name of emails.toReversed()) {
      const email = await readFile(join(outbox, name), 'utf8');
      const [, code] = /^ {4}(\d{6})\r?$/m.exec(email) ?? [];
      if (code !== undefined && email.includes(`To: ${address}`)) return code;
    }
    await setTimeout(20);
  }
  throw new Error(`no code was sent to ${address}`);
}

/** Sets the plan directly, because there are no payments here. */
function setPlan({ dataDir }: Holdfast, email: string, plan: PlanLevel): void {
  using database = new DatabaseSync(join(dataDir, 'holdfast.db'), { timeout: 5000 });
  database.prepare('UPDATE accounts SET level = ? WHERE email = ?').run(plan, email);
}

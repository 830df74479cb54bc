import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@holdfast/contract/src/client.ts';
import type { Account } from './account.ts';
import type { Holdfast } from './holdfast.ts';

/** Returns the hits of an account's only file, once they have reached the expected number and stopped growing. */
export async function countHits(server: Holdfast, { apiKey }: Account, expected: number): Promise<number> {
  const client = createClient(fetch, { origin: server.url, apiKey });
  let before = -1;
  for (let tries = 0; ; tries += 1) {
    const hits = (await client.getFileList({ query: {} })).files[0]?.hits ?? 0;
    if (tries === 10 || (hits >= expected && hits === before)) return hits;
    before = hits;
    // Hits are written once a second.
    await delay(1500);
  }
}

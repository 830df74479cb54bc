import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@holdfast/contract/src/client.ts';
import type { Account } from './account.ts';
import type { Holdfast } from './holdfast.ts';

const limit = 500;

/** Returns the hits of all files of an account, once they have reached the expected number and stopped growing. */
export async function countHits(server: Holdfast, account: Account, expected: number): Promise<number> {
  let before = -1;
  for (let tries = 0; ; tries += 1) {
    const hits = await readHits(server, account);
    if (tries === 10 || (hits >= expected && hits === before)) return hits;
    before = hits;
    // Hits are written once a second.
    await delay(1500);
  }
}

async function readHits(server: Holdfast, { apiKey }: Account): Promise<number> {
  const client = createClient(fetch, { origin: server.url, apiKey });
  let hits = 0;
  for (let page = 1; ; page += 1) {
    const { files } = await client.getFileList({ query: { limit, page } });
    for (const file of files) hits += file.hits;
    if (files.length < limit) return hits;
  }
}

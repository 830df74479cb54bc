/** Public look-ups at a fixed rate by a client of its own process, while something else works. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import type { LookUpAnswer, LookUpOrders } from '../clients/look-up-orders.ts';
import { startChild } from '../harness/children.ts';
import type { Shape } from './shape.ts';

const requestsPerSecond = 100;
const names = 50_000;

export interface LookUps {
  /** Sends look-ups until `work` ends, and returns its result and the times of the look-ups in milliseconds. */
  readonly during: <T>(work: () => Promise<T>) => Promise<{ result: T; latencies: readonly number[] }>;
}

/** Names are picked at random, so most of their rows were not read a moment ago. */
export async function openLookUps(url: string, shape: Shape, folder: string): Promise<LookUps> {
  const paths = join(folder, 'paths');
  const picked = Array.from({ length: names }, () => `${fileRoot}${shape.pickFile().name}.sha256`);
  await writeFile(paths, picked.join('\n'));
  const orders: LookUpOrders = { url, paths, requestsPerSecond };
  return {
    async during(work) {
      const client = startChild(process.execPath, ['labs/bench/clients/look-ups.ts', JSON.stringify(orders)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      if (!client.stdin || !client.stdout) throw new Error('unreachable: both are pipes');
      const ended = once(client, 'close') as Promise<[number | null]>;
      const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
      await lines.next();
      const result = await work();
      client.stdin.end();
      const { value } = (await lines.next()) as { readonly value?: string };
      const [code] = await ended;
      if (code !== 0 || value === undefined) throw new Error(`the client of the look-ups ended with status ${code}`);
      const { latencies } = JSON.parse(value) as LookUpAnswer;
      return { result, latencies };
    },
  };
}

/** Sends mutated requests to a running server. Each is made from the seed and its number, so any of them can be sent again. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokenPromise } from '../load/broken-promise.ts';
import { createRandom, mutate } from './mutate.ts';
import { type RawReply, sendRaw } from './send-raw.ts';
import { shrink } from './shrink.ts';
import { type Known, validRequest } from './templates.ts';

interface Options {
  readonly requests: number;
  readonly seed: number;
  /** Folder for the smallest request that fails. */
  readonly folder: string;
  readonly progress?: (sent: number) => void;
}

const lanes = 16;

/**
 * Returns how often each status came.
 * @throws {BrokenPromise} at the first response of 500 or more that is not a 503, and at the first without an end.
 */
export async function fuzz(known: Known, options: Options): Promise<ReadonlyMap<number, number>> {
  const { requests, seed, progress = () => {} } = options;
  const statuses = new Map<number, number>();
  let next = 0;
  const work = async () => {
    while (next < requests) {
      const number = (next += 1);
      if (number % 5_000 === 0) progress(number);
      const bytes = requestNumber(known, seed, number);
      const reply = await sendRaw(known.port, bytes);
      if (isBad(reply)) throw await describe(known, options, number, bytes, reply);
      for (const status of reply.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return statuses;
}

function requestNumber(known: Known, seed: number, number: number): Buffer {
  const random = createRandom(seed * 1_000_003 + number);
  return mutate(validRequest(known, random), random);
}

const isBad = ({ statuses, isHung }: RawReply): boolean =>
  isHung || statuses.some((status) => status >= 500 && status !== 501 && status !== 503 && status !== 505);

async function describe(
  known: Known,
  { seed, folder }: Options,
  number: number,
  bytes: Buffer,
  { statuses, isHung }: RawReply,
): Promise<BrokenPromise> {
  const smallest = isHung ? bytes : await shrink(bytes, async (tried) => isBad(await sendRaw(known.port, tried)));
  const path = join(folder, `request-${seed}-${number}.bin`);
  await writeFile(path, smallest);
  const what = isHung ? 'had no end' : `got ${statuses.join(', ')}`;
  return new BrokenPromise(`Mutated request ${number} of seed ${seed} ${what}; its smallest form is ${path}.`);
}

import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import { createLookUp } from '@holdfast/server/src/delivery/look-up.ts';
import { seededFile } from '@holdfast/test-support/seed-lists.ts';
import { type Asker, openAsker } from './ask.ts';
import type { Store } from './engine.ts';
import { type Holdfast, startHoldfast } from './holdfast.ts';
import { median } from './measure.ts';

/** Each picks `count` random names and returns the median time in milliseconds. Throws on a wrong response. */
export interface PublicNames extends AsyncDisposable {
  /**
   * Time from the request for a name's digest to the last byte of the response: a download that reads no stored bytes.
   */
  readonly overHttp: (count: number) => Promise<number>;
  /** The server's own query, without the server. */
  readonly byQuery: (count: number) => Promise<number>;
}

/** Starts a server on a store. `pick` returns one of its files at random. */
export async function openPublicNames(store: Store, pick: () => SeededFile): Promise<PublicNames> {
  await using opened = new AsyncDisposableStack();
  const lookUp = createLookUp(opened.use(await store.open()));
  const server = opened.use(await startHoldfast(store.dataDir, store.environment));
  const asker = opened.use(openAsker());
  const held = opened.move();
  return {
    overHttp: (count) => medianOf(count, () => askForDigest(server, asker, pick())),
    byQuery: (count) => medianOf(count, () => runQuery(lookUp, pick())),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

type SeededFile = ReturnType<typeof seededFile>;

/** For a store that `seedStore` filled with `total` files. */
export const pickSeeded = (total: number) => (): SeededFile => seededFile(Math.floor(Math.random() * total));

async function askForDigest({ url }: Holdfast, { ask }: Asker, { name, sha256 }: SeededFile): Promise<number> {
  const { status, body, took } = await ask(`${url}${fileRoot}${name}.sha256`);
  if (status !== 200 || body !== sha256) throw new Error(`${name} answered ${status}: ${body.slice(0, 200)}`);
  return took;
}

async function runQuery(lookUp: ReturnType<typeof createLookUp>, { name, sha256 }: SeededFile): Promise<number> {
  const start = performance.now();
  const file = await lookUp(name);
  const took = performance.now() - start;
  if (file?.sha256 !== sha256) throw new Error(`the query for ${name} found ${file?.sha256}`);
  return took;
}

/** Returns the median: other load on the machine makes a few look-ups much slower, which would dominate a mean. */
async function medianOf(count: number, measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let done = 0; done < count; done += 1) times.push(await measure());
  return median(times);
}

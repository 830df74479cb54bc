/** One process and two workers on the same two cores, with their client beside them; then the server alone is pinned. */
import { availableParallelism } from 'node:os';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { blobPath } from '@holdfast/server/src/storage/blobs/disk.ts';
import type { Account } from '../harness/account.ts';
import { runProgram } from '../harness/children.ts';
import { type Upload, uploadAll } from '../harness/curl.ts';
import { openStore, type Store } from '../harness/engine.ts';
import { type Holdfast, startHoldfast } from '../harness/holdfast.ts';
import { compareSpeeds, interleave } from '../harness/measure.ts';
import { createAccounts } from '../harness/new-accounts.ts';
import { checkDownload, makeNew, MB, writePayload } from '../harness/payload.ts';
import { pin } from '../harness/pin.ts';
import type { Bench, Row } from '../harness/row.ts';
import { accountsForSmallUploads, smallBytes, uploadRate, uploadSmall } from '../harness/small-uploads.ts';
import { runWrk } from '../harness/wrk.ts';

const connections = 32;
const large = { count: 8, size: 50 * MB };
const allCores = `0-${availableParallelism() - 1}`;

export const twoWorkers: Row = {
  number: 20,
  title: 'one process and two workers',
  async run(bench) {
    await using one = await openServer(bench, 'one', {});
    await using two = await openServer(bench, 'two', { WORKERS: '2' });
    const rounds = bench.quick ? 3 : 7;
    const beforeEachRound = async () => void (await runProgram('sync', []));
    const beside = (kind: Kind) =>
      interleave(rounds, { one: () => one.measure(kind), two: () => two.measure(kind) }, beforeEachRound);
    const speeds = {
      downloads: await beside('downloads'),
      large: await beside('large'),
      small: await beside('small'),
      smallAlone: await beside('smallAlone'),
    };
    const pinned = await interleave(
      rounds,
      { one: () => one.measurePinned('pages', '0'), two: () => two.measurePinned('pages', '0,1') },
      beforeEachRound,
    );
    const pinnedDownloads = await interleave(
      rounds,
      { one: () => one.measurePinned('downloads', '0'), two: () => two.measurePinned('downloads', '0,1') },
      beforeEachRound,
    );
    const versus = (samples: Record<'one' | 'two', number[]>, where: string) => ({
      ours: { name: 'two workers', samples: samples.two },
      against: { name: `one process${where}`, samples: samples.one },
    });
    return [
      compareSpeeds({
        ...versus(speeds.downloads, ''),
        what: `10 KB downloads of one name, ${connections} connections, the client on the same cores`,
        moved: `${rounds} × ${secondsOf(bench)} s of requests each`,
        unit: 'requests/s',
        goal: { atLeast: 1.25 },
        checked: 'status each time, and the bytes once',
      }),
      compareSpeeds({
        ...versus(speeds.large, ''),
        what: '8 parallel uploads of 50 MB, two accounts, the client on the same cores',
        moved: `8 × 50 MB each round`,
        unit: 'MB/s',
        goal: { atLeast: 1.25 },
        checked: 'the server verified the digest of each',
      }),
      compareSpeeds({
        ...versus(speeds.small, ''),
        what: '10 KB uploads, 8 at a time, the client on the same cores',
        moved: `${filesOf(bench)} new files each round`,
        unit: 'files/s',
        goal: { atLeast: 1 },
        checked: 'status and link of each; 20 of each round were read back and hashed',
      }),
      compareSpeeds({
        ...versus(speeds.smallAlone, ''),
        what: '10 KB uploads, one after the other, the client on the same cores',
        moved: `${filesOf(bench)} new files each round`,
        unit: 'files/s',
        goal: { atLeast: 1 },
        checked: 'status and link of each; 20 of each round were read back and hashed',
      }),
      compareSpeeds({
        ...versus(pinned, ' on one of them'),
        what: `pages of the web app, ${connections} connections, the server on two cores`,
        moved: `${rounds} × ${secondsOf(bench)} s of requests each`,
        unit: 'requests/s',
        goal: { atLeast: 1.7 },
        checked: 'status each time',
      }),
      compareSpeeds({
        ...versus(pinnedDownloads, ' on one of them'),
        what: `10 KB downloads of one name, ${connections} connections, the server on two cores`,
        moved: `${rounds} × ${secondsOf(bench)} s of requests each`,
        unit: 'requests/s',
        goal: null,
        checked: 'status each time, and the bytes once',
      }),
    ];
  },
};

type Kind = 'downloads' | 'pages' | 'large' | 'small' | 'smallAlone';

interface Measured extends AsyncDisposable {
  /** Returns requests, megabytes or files a second. */
  measure(kind: Kind): Promise<number>;
  /** The same while the server runs on these cores only. */
  measurePinned(kind: Kind, cores: string): Promise<number>;
}

const secondsOf = ({ quick }: Bench) => (quick ? 1 : 3);
const filesOf = ({ quick }: Bench) => (quick ? 100 : 500);

async function openServer(bench: Bench, name: string, environment: Record<string, string>): Promise<Measured> {
  await using opened = new AsyncDisposableStack();
  const folder = join(bench.folder, name);
  const store = opened.use(await openStore('PostgreSQL', join(folder, 'data'), { durable: true }));
  const accounts = await createAccounts(store, accountsForSmallUploads);
  const server = opened.use(await startHoldfast(store.dataDir, { ...store.environment, ...environment }));
  const { files } = await uploadSmall(server.url, accounts, { uploads: 100, atOnce: 8 });
  const [file] = files;
  if (!file) throw new Error('unreachable: files were uploaded');
  await checkDownload(file.link, file.sha256);
  const uploads = await prepareLarge(folder, server, store, accounts);
  const requests = (url: string, size: number) => async () =>
    (await runWrk([url], connections, secondsOf(bench), size)).requestsPerSecond;
  const kinds: Readonly<Record<Kind, () => Promise<number>>> = {
    downloads: requests(file.link, smallBytes),
    pages: requests(`${server.url}/about-us`, 1_000),
    large: uploads,
    small: () => uploadRate(server.url, accounts, { uploads: filesOf(bench), atOnce: 8 }),
    smallAlone: () => uploadRate(server.url, accounts, { uploads: filesOf(bench), atOnce: 1 }),
  };
  // Each way once before it is measured.
  for (const run of Object.values(kinds)) await run();
  const held = opened.move();
  return {
    measure: (kind) => kinds[kind](),
    async measurePinned(kind, cores) {
      await pin(server.pid, cores);
      try {
        return await kinds[kind]();
      } finally {
        await pin(server.pid, allCores);
      }
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Returns a function that uploads large files at once, new ones each time, and returns the megabytes a second. */
async function prepareLarge(
  folder: string,
  server: Holdfast,
  store: Store,
  accounts: readonly Account[],
): Promise<() => Promise<number>> {
  const paths = await Promise.all(
    Array.from({ length: large.count }, (_, at) => writePayload(join(folder, `payload${at}`), large.size)),
  );
  return async () => {
    const uploads: Upload[] = [];
    for (const [at, path] of paths.entries()) {
      const account = accounts[at % 2];
      if (account) uploads.push({ account, path, sha256: await makeNew(path) });
    }
    const { links, seconds } = await uploadAll(server.url, uploads);
    await removeBytes(server, store, links);
    return (large.count * large.size) / MB / seconds;
  };
}

/** So that every round starts in the same state. */
async function removeBytes({ dataDir }: Holdfast, store: Store, links: readonly string[]): Promise<void> {
  const names = links.map((link) => new URL(link).pathname.replace('/file/', '').replace(/\..*$/, ''));
  await using db = await store.open();
  const files = await db.selectFrom('files').select('blob_id').where('name', 'in', names).execute();
  for (const { blob_id: id } of files) await rm(join(dataDir, 'blobs', blobPath(id)), { force: true });
  await runProgram('sync', []);
}

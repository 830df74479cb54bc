import { join } from 'node:path';
import type { Engine } from '../harness/engine.ts';
import { countHits } from '../harness/hits.ts';
import { compareSpeeds, interleave } from '../harness/measure.ts';
import { startNginx } from '../harness/nginx.ts';
import { checkDownload } from '../harness/payload.ts';
import { startPeer } from '../harness/plain-peer.ts';
import type { Row } from '../harness/row.ts';
import { openSmallFiles, type SmallFile, type SmallFiles } from '../harness/small-files.ts';
import { smallBytes } from '../harness/small-uploads.ts';
import { blobPathOf } from '../harness/stored-blob.ts';
import { type Load, runWrk } from '../harness/wrk.ts';

const connections = 32;
const hashed = 640;
const names = 1_000;

export const smallDownloads: Row = {
  number: 5,
  title: '10 KB downloads, hits counted, 32 connections',
  async run({ quick, folder }) {
    await using sqlite = await openCounted('SQLite', folder);
    await using postgres = await openCounted('PostgreSQL', folder);
    const { server, files } = sqlite.small;
    await using nginx = await startNginx(join(folder, 'nginx'), server);
    const blobs = files.map(({ link }) => blobPathOf(server, link));
    const beside = files.map(({ sha256 }, at) => ({ link: nginx.plain(blobs[at] ?? ''), sha256 }));
    await using peer = await startPeer('reading', join(server.dataDir, 'blobs', blobs[0] ?? ''));
    const piped = { link: peer.url, sha256: files[0]?.sha256 ?? '' };
    await hashAll(beside);
    await hashMany(piped);

    const seconds = quick ? 1 : 2;
    const rounds = quick ? 3 : 5;
    const load = (urls: readonly SmallFile[]) => async () => (await runLoad(urls, seconds)).requestsPerSecond;
    const speeds = await interleave(rounds, {
      node: sqlite.load(1, seconds),
      nodeNames: sqlite.load(names, seconds),
      postgres: postgres.load(1, seconds),
      postgresNames: postgres.load(names, seconds),
      nginx: load(beside.slice(0, 1)),
      nginxNames: load(beside),
      pipe: load([piped]),
    });
    const counted = { SQLite: await sqlite.checkHits(), PostgreSQL: await postgres.checkHits() };

    const lineOf = (engine: Engine, what: string, ours: readonly number[]) =>
      ({
        what: `10 KB downloads${what}, ${engine}, hits counted, 32 connections`,
        moved: `${rounds} × ${seconds} s of requests each`,
        unit: 'requests/s',
        ours: { name: 'Node', samples: ours },
        checked: counted[engine],
      }) as const;
    const one = lineOf('SQLite', ' of one name', speeds.node);
    const many = lineOf('SQLite', ' of 1,000 names', speeds.nodeNames);
    const against = (name: string, samples: readonly number[]) => ({ against: { name, samples } });
    return [
      compareSpeeds({ ...one, ...against('nginx', speeds.nginx), goal: { atLeast: 0.45 } }),
      compareSpeeds({ ...one, ...against('createReadStream().pipe()', speeds.pipe), goal: { atLeast: 3 } }),
      compareSpeeds({ ...many, ...against('nginx', speeds.nginxNames), goal: { atLeast: 0.35 } }),
      compareSpeeds({
        ...lineOf('PostgreSQL', ' of one name', speeds.postgres),
        ...against('Node on SQLite', speeds.node),
        goal: { atLeast: 0.7 },
      }),
      compareSpeeds({
        ...lineOf('PostgreSQL', ' of 1,000 names', speeds.postgresNames),
        ...against('Node on SQLite', speeds.nodeNames),
        goal: { atLeast: 0.7 },
      }),
    ];
  },
};

interface Counted extends AsyncDisposable {
  readonly small: SmallFiles;
  /** Downloads the first `count` names in turn, and returns the requests a second. */
  readonly load: (count: number, seconds: number) => () => Promise<number>;
  /** Compares the hits with the downloads, and returns what was compared. */
  readonly checkHits: () => Promise<string>;
}

/** Starts a server with small files, each of which was downloaded, hashed and counted. */
async function openCounted(engine: Engine, folder: string): Promise<Counted> {
  await using opened = new AsyncDisposableStack();
  const small = opened.use(await openSmallFiles(engine, folder, names));
  const { server, account, files } = small;
  await hashAll(files);
  for (const file of files.slice(0, 1)) await hashMany(file);
  if ((await countHits(server, account, names)) < names) throw new Error('a name was downloaded without a hit');
  let sent = names + hashed;
  const held = opened.move();
  return {
    small,
    load: (count, seconds) => async () => {
      const { requests, requestsPerSecond } = await runLoad(files.slice(0, count), seconds);
      // wrk stops in the middle, and does not count the requests in flight.
      sent += requests + connections;
      return requestsPerSecond;
    },
    async checkHits() {
      // One address has a hit of each name every 30 seconds.
      const hits = await countHits(server, account, names);
      if (hits < names || hits > sent)
        throw new Error(`${sent} downloads were answered, but ${hits} hits were counted`);
      return `status each time; ${sent} answers are ${hits} hits`;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function runLoad([first, ...others]: readonly Pick<SmallFile, 'link'>[], seconds: number): Promise<Load> {
  if (!first) throw new Error('unreachable: there is a file');
  return runWrk([first.link, ...others.map(({ link }) => link)], connections, seconds, smallBytes);
}

async function hashAll(files: readonly SmallFile[]): Promise<void> {
  for (const { link, sha256 } of files) await checkDownload(link, sha256);
}

/** Downloads with the same concurrency as later, and checks each file completely. */
async function hashMany({ link, sha256 }: SmallFile): Promise<void> {
  const lane = async () => {
    for (let done = 0; done < hashed / connections; done += 1) await checkDownload(link, sha256);
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

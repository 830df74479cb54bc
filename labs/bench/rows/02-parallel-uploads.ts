import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openAccount } from '../harness/account.ts';
import { runProgram } from '../harness/children.ts';
import { type Upload, uploadAll } from '../harness/curl.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { startIdealServer } from '../harness/ideal-server.ts';
import { compareSpeeds, interleave } from '../harness/measure.ts';
import { checkDownload, makeNew, MB, writePayload } from '../harness/payload.ts';
import { notMeasured, type Row } from '../harness/row.ts';
import { settle } from '../harness/settle.ts';

const size = 50 * MB;
const files = 8;

/** Uses two accounts, because one may send only four files at a time. */
export const parallelUploads: Row = {
  number: 2,
  title: '8 parallel uploads of 50 MB',
  async run({ quick, folder }) {
    await using server = await startHoldfast(join(folder, 'data'));
    await using ideal = await startIdealServer(folder);
    const accounts = [await openAccount(server, 'power'), await openAccount(server, 'power')];
    const paths = await Promise.all(
      Array.from({ length: files }, (_, at) => writePayload(join(folder, `payload${at}`), size)),
    );
    let uploads: Upload[] = [];
    const links: string[] = [];
    const send = async () => {
      const sent = await uploadAll(server.url, uploads);
      links.push(...sent.links);
      return sent;
    };
    const renew = async () => {
      await ideal.clear();
      await settle(server, links.splice(0));
      const digests = await Promise.all(paths.map(makeNew));
      uploads = accounts.flatMap((account, half) =>
        paths.flatMap((path, at) => (at % 2 === half ? [{ account, path, sha256: digests[at] ?? '' }] : [])),
      );
    };
    await renew();
    for (const [at, link] of (await send()).links.entries()) await checkDownload(link, uploads[at]?.sha256 ?? '');

    const cores = availableParallelism();
    const speed = (seconds: number) => (files * size) / MB / seconds;
    const speeds = await interleave(
      quick ? 3 : 7,
      {
        upload: async () => speed((await send()).seconds),
        ideal: async () => speed(await ideal.upload(uploads)),
        openssl: async () => speed(await hashOnEveryCore(paths, cores)),
      },
      renew,
    );
    const line = {
      what: '8 parallel uploads, two accounts, SHA-256 verified, synced',
      moved: '8 × 50 MB each round',
      unit: 'MB/s',
      ours: { name: 'upload', samples: speeds.upload },
      checked: 'the server verified every digest; the first eight uploads were read back and hashed',
    } as const;
    const besideIdeal = compareSpeeds({
      ...line,
      against: { name: 'an ideal server in C', samples: speeds.ideal },
      goal: { atLeast: 0.75 },
    });
    const openssl = { name: `openssl dgst on ${cores} cores`, samples: speeds.openssl };
    return [
      ideal.missing === null ? besideIdeal : notMeasured(besideIdeal, ideal.missing),
      compareSpeeds({ ...line, against: openssl, goal: null }),
    ];
  },
};

/** Measures what the cores achieve together: two that share caches or clock speed are less than twice one. */
async function hashOnEveryCore(paths: readonly string[], cores: number): Promise<number> {
  const lanes = Array.from({ length: Math.min(cores, paths.length) }, (_, lane) =>
    paths.filter((_path, at) => at % Math.min(cores, paths.length) === lane),
  );
  const start = performance.now();
  await Promise.all(lanes.map((lane) => runProgram('openssl', ['dgst', '-sha256', ...lane])));
  return (performance.now() - start) / 1000;
}

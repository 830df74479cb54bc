import { join } from 'node:path';
import { openAccount } from '../harness/account.ts';
import { runClient } from '../harness/children.ts';
import { uploadAll } from '../harness/curl.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { compareSpeeds, interleave } from '../harness/measure.ts';
import { memoryGrowth } from '../harness/memory.ts';
import { checkDownload, makeNew, MB, writePayload } from '../harness/payload.ts';
import type { Row } from '../harness/row.ts';
import { startS3Store } from '../harness/s3-store.ts';

const size = 200 * MB;
const atOnce = 4;

export const uploadsToS3: Row = {
  number: 21,
  title: 'uploads of 200 MB to an S3 store',
  async run({ quick, folder }) {
    await using store = await startS3Store();
    const { endpoint, bucket } = store;
    await using server = await startHoldfast(join(folder, 'data'), store.settings);
    const account = await openAccount(server, 'power');
    const paths = await Promise.all(
      Array.from({ length: atOnce }, (_, at) => writePayload(join(folder, `payload${at}`), size)),
    );
    const [path = ''] = paths;
    // First: memory that earlier uploads left behind would hide the growth.
    const uploads = await Promise.all(
      paths.map(async (each) => ({ account, path: each, sha256: await makeNew(each) })),
    );
    const grew = await memoryGrowth(server.pid, async () => void (await uploadAll(server.url, uploads)));
    let sha256 = await makeNew(path);
    const send = () => uploadAll(server.url, [{ account, path, sha256 }]);
    const { links } = await send();
    await checkDownload(links[0] ?? '', sha256);
    const speed = (seconds: number) => size / MB / seconds;
    const speeds = await interleave(
      // The store has four gigabytes, and removes replaced parts hours later.
      quick ? 3 : 5,
      {
        ours: async () => speed((await send()).seconds),
        sdk: async () =>
          speed((await runClient<{ seconds: number }>('sdk-upload', { endpoint, bucket, path })).seconds),
      },
      async () => void (sha256 = await makeNew(path)),
    );
    const checked = 'the server verified every digest; the first upload was read back and hashed';
    return [
      compareSpeeds({
        what: 'one upload to radosgw, SHA-256 verified',
        moved: '200 MB each round',
        unit: 'MB/s',
        ours: { name: 'upload', samples: speeds.ours },
        against: { name: 'the SDK of AWS alone, the same parts', samples: speeds.sdk },
        goal: { atLeast: 0.7 },
        checked,
      }),
      {
        what: `resident memory during ${atOnce} parallel uploads to radosgw`,
        moved: `${atOnce} × 200 MB`,
        ours: `at most ${grew.toFixed(1)} MB above the start`,
        against: '–',
        value: grew,
        unit: 'MB',
        spread: '–',
        goal: { atMost: 64 },
        checked,
        samples: { growth: [grew] },
      },
    ];
  },
};

import { join } from 'node:path';
import { type Account, openAccount } from '../harness/account.ts';
import { runClient } from '../harness/children.ts';
import { uploadAll } from '../harness/curl.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { memoryGrowth } from '../harness/memory.ts';
import { checkDownload, makeNew, MB, writePayload } from '../harness/payload.ts';
import type { Line, Row } from '../harness/row.ts';

const goal = { atMost: 40 };

/**
 * Each half uses a fresh process that has moved one small file, so that earlier memory use does not count as its
 * baseline.
 */
export const memoryOfHugeFiles: Row = {
  number: 6,
  title: 'memory during one 5 GB upload and one 5 GB download',
  async run({ quick, folder }) {
    const size = quick ? 1000 * MB : 5000 * MB;
    const dataDir = join(folder, 'data');
    const path = await writePayload(join(folder, 'small'), MB);
    const account = await prepare(dataDir);
    const upload = await uploadHuge(dataDir, account, path, size);
    const grewByDownload = await downloadHuge(dataDir, upload, size);
    const line = (what: string, value: number, checked: string): Line => ({
      what: `resident memory during one ${what}`,
      moved: `${size / MB / 1000} GB`,
      ours: `at most ${value.toFixed(1)} MB above the start`,
      against: '–',
      value,
      unit: 'MB',
      spread: '–',
      goal,
      checked,
      samples: { growth: [value] },
    });
    return [
      line('upload', upload.grew, 'the server verified the digest'),
      line('download', grewByDownload, 'every byte was counted and hashed'),
    ];
  },
};

async function prepare(dataDir: string): Promise<Account> {
  await using server = await startHoldfast(dataDir);
  return await openAccount(server, 'power');
}

interface Uploaded {
  readonly small: { readonly link: string; readonly sha256: string };
  readonly huge: { readonly url: string; readonly sha256: string };
  /** In megabytes. */
  readonly grew: number;
}

async function uploadHuge(dataDir: string, account: Account, path: string, size: number): Promise<Uploaded> {
  await using server = await startHoldfast(dataDir);
  const sha256 = await makeNew(path);
  const [link = ''] = (await uploadAll(server.url, [{ account, path, sha256 }])).links;
  const orders = { url: `${server.url}/api/v3/upload`, apiKey: account.apiKey, size };
  let huge = { url: '', sha256: '' };
  const grew = await memoryGrowth(server.pid, async () => {
    huge = await runClient('stream-upload', orders);
  });
  return { small: { link, sha256 }, huge, grew };
}

async function downloadHuge(dataDir: string, { small, huge }: Uploaded, size: number): Promise<number> {
  await using server = await startHoldfast(dataDir);
  const here = (link: string) => server.url + new URL(link).pathname;
  await checkDownload(here(small.link), small.sha256);
  return await memoryGrowth(server.pid, async () => {
    const found = await runClient<Found>('stream-download', { url: here(huge.url) });
    if (found.bytes !== size || found.sha256 !== huge.sha256)
      throw new Error(
        `${size} bytes with ${huge.sha256} were stored, and ${found.bytes} with ${found.sha256} came back`,
      );
  });
}

interface Found {
  readonly bytes: number;
  readonly sha256: string;
}

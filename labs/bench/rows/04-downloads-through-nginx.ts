import { join } from 'node:path';
import { discardInParallel, discardInTurn } from '../harness/discard.ts';
import { type Holdfast, startHoldfast } from '../harness/holdfast.ts';
import { compareSpeeds, interleave } from '../harness/measure.ts';
import { startNginx } from '../harness/nginx.ts';
import { checkDownload, MB } from '../harness/payload.ts';
import type { Row } from '../harness/row.ts';
import { storeFile } from '../harness/stored-file.ts';

const size = 50 * MB;
const connections = 8;

export const downloadsThroughNginx: Row = {
  number: 4,
  title: '8 × 50 MB parallel downloads with ACCEL=nginx',
  async run({ quick, folder }) {
    await using server = await startHoldfast(join(folder, 'data'), { ACCEL: 'nginx', TRUST_PROXY: '127.0.0.1' });
    const file = await storeFile(folder, server, 'power', size);
    await using nginx = await startNginx(join(folder, 'nginx'), server);
    const urls = { accel: nginx.inFrontOf(file.link), alone: nginx.plain(file.blobPath) };
    await insistOnRedirect(server, file.link);
    for (const url of Object.values(urls)) await checkDownload(url, file.sha256);

    const speedOf =
      (url: string, download = discardInParallel) =>
      async () =>
        (connections * size) / MB / (await download(url, size, connections));
    const speeds = await interleave(quick ? 5 : 9, {
      accel: speedOf(urls.accel),
      alone: speedOf(urls.alone),
      accelInTurn: speedOf(urls.accel, discardInTurn),
      aloneInTurn: speedOf(urls.alone, discardInTurn),
    });
    const line = { unit: 'MB/s', checked: 'status and length each round; hashed once before' } as const;
    return [
      compareSpeeds({
        ...line,
        what: '8 parallel downloads with ACCEL=nginx',
        moved: '8 × 50 MB each round',
        ours: { name: 'nginx with ours', samples: speeds.accel },
        against: { name: 'nginx alone', samples: speeds.alone },
        goal: { atLeast: 0.95 },
      }),
      compareSpeeds({
        ...line,
        what: 'downloads on one connection with ACCEL=nginx',
        moved: '8 × 50 MB one after the other each round',
        ours: { name: 'nginx with ours', samples: speeds.accelInTurn },
        against: { name: 'nginx alone', samples: speeds.aloneInTurn },
        goal: { atLeast: 0.5 },
      }),
    ];
  },
};

/** Throws if the bytes come from Node through nginx, because the figure would then measure something else. */
async function insistOnRedirect({ url }: Holdfast, link: string): Promise<void> {
  const answer = await fetch(url + new URL(link).pathname);
  await answer.body?.cancel();
  if (!answer.headers.has('X-Accel-Redirect')) throw new Error('the server does not hand its downloads to nginx');
}

import { join } from 'node:path';
import { discardInParallel } from '../harness/discard.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { compareSpeeds, interleave } from '../harness/measure.ts';
import { startNginx } from '../harness/nginx.ts';
import { checkDownload, MB } from '../harness/payload.ts';
import type { Row } from '../harness/row.ts';
import { startS3Store } from '../harness/s3-store.ts';
import { storeFile } from '../harness/stored-file.ts';

const size = 50 * MB;
const connections = 8;

export const downloadsFromS3: Row = {
  number: 22,
  title: '8 × 50 MB parallel downloads of an S3 store through the cache of nginx',
  async run({ quick, folder }) {
    await using store = await startS3Store();
    const settings = { ...store.settings, ACCEL: 'nginx', TRUST_PROXY: '127.0.0.1' };
    await using server = await startHoldfast(join(folder, 'data'), settings);
    const file = await storeFile(folder, server, 'power', size);
    await using nginx = await startNginx(join(folder, 'nginx'), server, store.endpoint);
    const answer = await fetch(server.url + new URL(file.link).pathname);
    const [key = ''] =
      answer.headers
        .get('X-Accel-Redirect')
        ?.replace(/^\/blobs\//, '')
        .split('?') ?? [];
    // The first one fills the cache.
    const urls = { ours: nginx.inFrontOf(file.link), alone: nginx.cached(key) };
    for (const url of Object.values(urls)) await checkDownload(url, file.sha256);
    const speedOf = (url: string) => async () =>
      (connections * size) / MB / (await discardInParallel(url, size, connections));
    const speeds = await interleave(quick ? 5 : 9, { ours: speedOf(urls.ours), alone: speedOf(urls.alone) });
    return [
      compareSpeeds({
        what: '8 parallel downloads from S3 through the warm cache of nginx',
        moved: '8 × 50 MB each round',
        unit: 'MB/s',
        ours: { name: 'nginx with ours', samples: speeds.ours },
        against: { name: 'nginx alone from the same cache', samples: speeds.alone },
        goal: { atLeast: 0.95 },
        checked: 'status and length each round; hashed once before',
      }),
    ];
  },
};

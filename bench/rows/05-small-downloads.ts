import { join } from 'node:path';
import { countHits } from '../harness/hits.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { compareSpeeds, interleave } from '../harness/measure.ts';
import { startNginx } from '../harness/nginx.ts';
import { checkDownload } from '../harness/payload.ts';
import { startPeer } from '../harness/plain-peer.ts';
import type { Row } from '../harness/row.ts';
import { storeFile } from '../harness/stored-file.ts';
import { runWrk } from '../harness/wrk.ts';

const size = 10_000;
const connections = 32;
const hashed = 640;

export const smallDownloads: Row = {
  number: 5,
  title: '10 KB downloads, hits counted, 32 connections',
  async run({ quick, folder }) {
    await using server = await startHoldfast(join(folder, 'data'));
    const file = await storeFile(folder, server, 'power', size);
    await using nginx = await startNginx(join(folder, 'nginx'), server);
    await using peer = await startPeer('read-stream-server', join(server.dataDir, 'blobs', file.blobPath));
    const urls = { node: file.link, nginx: nginx.plain(file.blobPath), pipe: peer.url };
    for (const url of Object.values(urls)) await hashMany(url, file.sha256);
    if ((await countHits(server, file.account, hashed)) !== hashed) throw new Error(`${hashed} hits were not counted`);

    let sent = hashed;
    const loadOf =
      (url: string, ours = false) =>
      async () => {
        const { requests, requestsPerSecond } = await runWrk(url, connections, quick ? 1 : 2, size);
        if (ours) sent += requests;
        return requestsPerSecond;
      };
    const rounds = quick ? 3 : 5;
    const speeds = await interleave(rounds, {
      node: loadOf(urls.node, true),
      nginx: loadOf(urls.nginx),
      pipe: loadOf(urls.pipe),
    });
    const hits = await countHits(server, file.account, sent);
    // wrk stops in the middle: requests in flight at that time are hits that it does not count itself.
    if (hits < sent || hits > sent + rounds * connections)
      throw new Error(`${sent} downloads were answered, but ${hits} hits were counted`);

    const line = {
      what: '10 KB downloads, hits counted, 32 connections',
      moved: `${rounds} × ${quick ? 1 : 2} s of requests each`,
      unit: 'requests/s',
      ours: { name: 'Node', samples: speeds.node },
      checked: `status each time, ${sent} answers and ${hits} hits; ${hashed} hashed before, with as many hits`,
    } as const;
    const pipe = { name: 'createReadStream().pipe()', samples: speeds.pipe };
    return [
      compareSpeeds({ ...line, against: { name: 'nginx', samples: speeds.nginx }, goal: { atLeast: 0.35 } }),
      compareSpeeds({ ...line, against: pipe, goal: { atLeast: 3 } }),
    ];
  },
};

/** Downloads with the same concurrency as later, and checks each file completely. */
async function hashMany(url: string, sha256: string): Promise<void> {
  const lane = async () => {
    for (let done = 0; done < hashed / connections; done += 1) await checkDownload(url, sha256);
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

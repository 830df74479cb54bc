import { join } from 'node:path';
import { downloadInParallel } from '../harness/curl.ts';
import { discardInParallel, discardInTurn } from '../harness/discard.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { compareSpeeds, interleave } from '../harness/measure.ts';
import { startNginx } from '../harness/nginx.ts';
import { checkDownload, MB } from '../harness/payload.ts';
import { startPeer } from '../harness/plain-peer.ts';
import type { Row } from '../harness/row.ts';
import { storeFile } from '../harness/stored-file.ts';

const size = 50 * MB;
const connections = 8;

export const parallelDownloads: Row = {
  number: 3,
  title: '8 × 50 MB parallel downloads, Node alone',
  async run({ quick, folder }) {
    await using server = await startHoldfast(join(folder, 'data'));
    const file = await storeFile(folder, server, 'power', size);
    await using nginx = await startNginx(join(folder, 'nginx'), server);
    await using peer = await startPeer('reading', join(server.dataDir, 'blobs', file.blobPath));
    const urls = { node: file.link, nginx: nginx.plain(file.blobPath), pipe: peer.url };
    for (const url of Object.values(urls)) await checkDownload(url, file.sha256);

    const speedOf =
      (url: string, download = discardInParallel) =>
      async () =>
        (connections * size) / MB / (await download(url, size, connections));
    const speeds = await interleave(quick ? 5 : 7, {
      node: speedOf(urls.node),
      nginx: speedOf(urls.nginx),
      pipe: speedOf(urls.pipe),
      nodeToCurl: speedOf(urls.node, downloadInParallel),
      nginxToCurl: speedOf(urls.nginx, downloadInParallel),
      nodeInTurn: speedOf(urls.node, discardInTurn),
      nginxInTurn: speedOf(urls.nginx, discardInTurn),
    });
    const line = {
      what: '8 parallel downloads, Node alone',
      moved: '8 × 50 MB each round',
      unit: 'MB/s',
      checked: 'status and length each round; hashed once before',
    } as const;
    const ours = { name: 'Node', samples: speeds.node };
    const sendfile = { name: 'nginx', samples: speeds.nginx };
    const pipe = { name: 'createReadStream().pipe()', samples: speeds.pipe };
    return [
      compareSpeeds({ ...line, ours, against: sendfile, goal: { atLeast: 0.5 } }),
      compareSpeeds({ ...line, ours, against: pipe, goal: null }),
      compareSpeeds({ ...line, what: 'the same by a plain stream', ours: pipe, against: sendfile, goal: null }),
      compareSpeeds({
        ...line,
        what: 'the same to curl, which copies what it throws away',
        ours: { name: 'Node', samples: speeds.nodeToCurl },
        against: { name: 'nginx', samples: speeds.nginxToCurl },
        goal: null,
      }),
      compareSpeeds({
        ...line,
        what: 'downloads on one connection, Node alone',
        moved: '8 × 50 MB one after the other each round',
        ours: { name: 'Node', samples: speeds.nodeInTurn },
        against: { name: 'nginx', samples: speeds.nginxInTurn },
        goal: { atLeast: 0.5 },
      }),
    ];
  },
};

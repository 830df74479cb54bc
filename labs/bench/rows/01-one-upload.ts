import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openAccount } from '../harness/account.ts';
import { runProgram } from '../harness/children.ts';
import { uploadAll } from '../harness/curl.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { clear, startIdealServer } from '../harness/ideal-server.ts';
import { compareSpeeds, interleave } from '../harness/measure.ts';
import { popularName, startPeer } from '../harness/plain-peer.ts';
import { checkDownload, makeNew, MB, writePayload } from '../harness/payload.ts';
import { notMeasured, type Row } from '../harness/row.ts';
import { settle } from '../harness/settle.ts';
import { writeSynced } from '../harness/write-synced.ts';

const size = 200 * MB;

/**
 * The limit is a server that does the same work and nothing else. The speeds of hashing alone and of the disk alone show
 * what that limit consists of.
 */
export const oneUpload: Row = {
  number: 1,
  title: 'one 200 MB upload',
  async run({ quick, folder }) {
    await using server = await startHoldfast(join(folder, 'data'));
    await using ideal = await startIdealServer(folder);
    const kept = join(folder, 'popular');
    await mkdir(kept);
    await using popular = await startPeer('popular', kept);
    const account = await openAccount(server, 'power');
    const path = await writePayload(join(folder, 'payload'), size);
    let sha256 = await makeNew(path);
    const links: string[] = [];
    const send = async () => {
      const sent = await uploadAll(server.url, [{ account, path, sha256 }]);
      links.push(...sent.links);
      return sent;
    };
    await send();
    await checkDownload(links[0] ?? '', sha256);

    const speed = (seconds: number) => size / MB / seconds;
    const speeds = await interleave(
      quick ? 3 : 9,
      {
        upload: async () => speed((await send()).seconds),
        ideal: async () => speed(await ideal.upload([{ account, path, sha256 }])),
        popular: async () => speed((await uploadAll(popular.url, [{ account, path, sha256 }])).seconds),
        openssl: async () => speed((await runProgram('openssl', ['dgst', '-sha256', path])).seconds),
        disk: async () => speed(await writeSynced(path, join(folder, 'copy'))),
      },
      async () => {
        await rm(join(folder, 'copy'), { force: true });
        await ideal.clear();
        await clear(kept);
        sha256 = await makeNew(path);
        await settle(server, links.splice(0));
      },
    );
    const line = {
      what: 'one upload by multipart POST, SHA-256 verified, synced',
      moved: '200 MB each round',
      unit: 'MB/s',
      ours: { name: 'upload', samples: speeds.upload },
      checked: 'the server verified the digest each round; the first upload was read back and hashed',
    } as const;
    const besideIdeal = compareSpeeds({
      ...line,
      against: { name: 'an ideal server in C', samples: speeds.ideal },
      goal: { atLeast: 0.75 },
    });
    return [
      ideal.missing === null ? besideIdeal : notMeasured(besideIdeal, ideal.missing),
      compareSpeeds({ ...line, against: { name: popularName, samples: speeds.popular }, goal: null }),
      compareSpeeds({ ...line, against: { name: 'openssl dgst', samples: speeds.openssl }, goal: null }),
      compareSpeeds({ ...line, against: { name: 'write and sync alone', samples: speeds.disk }, goal: null }),
    ];
  },
};

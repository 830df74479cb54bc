import { join } from 'node:path';
import { openAccount } from '../harness/account.ts';
import { runProgram } from '../harness/children.ts';
import { uploadAll, uploadPieces } from '../harness/curl.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { compareSpeeds, interleave } from '../harness/measure.ts';
import { checkDownload, makeNew, MB, writePayload } from '../harness/payload.ts';
import type { Row } from '../harness/row.ts';
import { settle } from '../harness/settle.ts';

const size = 200 * MB;

export const uploadInPieces: Row = {
  number: 24,
  title: 'one 200 MB upload by tus',
  async run({ quick, folder }) {
    await using server = await startHoldfast(join(folder, 'data'));
    const account = await openAccount(server, 'power');
    const paths = {
      form: await writePayload(join(folder, 'form'), size),
      tus: await writePayload(join(folder, 'tus'), size),
    };
    const pieces = Array.from({ length: 4 }, (_, at) => join(folder, `piece-0${at}`));
    const digests = { form: '', tus: '' };
    const links: string[] = [];
    // Equal bytes are stored once, so each of them sends its own.
    const renew = async () => {
      digests.form = await makeNew(paths.form);
      digests.tus = await makeNew(paths.tus);
      await runProgram('split', ['-d', '-b', String(64 * MB), paths.tus, join(folder, 'piece-')]);
    };
    const speed = (link: string, seconds: number) => {
      links.push(link);
      return size / MB / seconds;
    };
    const sendPieces = () => uploadPieces(server.url, { account, path: paths.tus, sha256: digests.tus }, pieces);
    await renew();
    const { link } = await sendPieces();
    await checkDownload(link, digests.tus);
    await settle(server, [link]);

    const speeds = await interleave(
      quick ? 3 : 9,
      {
        async tus() {
          const sent = await sendPieces();
          return speed(sent.link, sent.seconds);
        },
        async form() {
          const sent = await uploadAll(server.url, [{ account, path: paths.form, sha256: digests.form }]);
          return speed(sent.links[0] ?? '', sent.seconds);
        },
      },
      async () => {
        // The pieces are on the disk before it settles.
        await renew();
        await settle(server, links.splice(0));
      },
    );
    return [
      compareSpeeds({
        what: 'one upload by tus in pieces of 64 MB, SHA-256 verified, synced',
        moved: '200 MB each round',
        unit: 'MB/s',
        goal: { atLeast: 0.9 },
        ours: { name: 'tus', samples: speeds.tus },
        against: { name: 'multipart POST', samples: speeds.form },
        checked: 'the server verified the digest each round; the first upload was read back and hashed',
      }),
    ];
  },
};

import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fsck } from '../../server/src/operator/fsck/fsck.ts';
import { BrokenPromise } from './broken-promise.ts';
import type { KeptFile } from './kept-files.ts';
import { type Place, withContext } from '../../server/test/harness/place.ts';
import type { Requests } from './request.ts';

/** Downloads every acknowledged file and compares its bytes; a deleted one has to be gone. */
export async function checkKept(requests: Requests, files: readonly KeptFile[]): Promise<void> {
  const queue = files.values();
  const work = async () => {
    for (const file of queue) await checkFile(requests, file);
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

async function checkFile(requests: Requests, { name, sha256, state }: KeptFile): Promise<void> {
  const { status, body } = await requests.send({ path: `/file/${name}?no-count=true` });
  if (state === 'deleted' && status !== 404)
    throw new BrokenPromise(`The deleted file ${name} is served with status ${status}.`);
  if (state === 'live' && status !== 200)
    throw new BrokenPromise(`The acknowledged file ${name} is answered with status ${status}.`);
  if (status === 200 && createHash('sha256').update(body).digest('hex') !== sha256)
    throw new BrokenPromise(`The bytes of ${name} are not those that were uploaded.`);
}

/** Runs fsck with --scrub on what is stored, with or without a server. */
export async function checkStorage(place: Place): Promise<void> {
  await withContext(place, async (context) => {
    await fsck({
      context,
      actor: { operator: 'drill', action: 'fsck' },
      repair: false,
      scrub: true,
      signal: new AbortController().signal,
      async tell({ kind, subject, says }) {
        throw new BrokenPromise(`fsck found ${kind} at ${subject}: ${says}`);
      },
      progress() {},
    });
  });
}

/** Names of the files that uploads in progress have begun to write, and of those that killed ones have left. */
export const tempFiles = async ({ dataDir }: Pick<Place, 'dataDir'>): Promise<string[]> =>
  // The lock of the running process stays.
  (await readdir(join(dataDir, 'blobs', 'tmp'))).filter((name) => !name.endsWith('.lock'));

export function countLive(place: Place): Promise<number> {
  return withContext(place, async ({ db }) => {
    const { live } = await db
      .selectFrom('files')
      .select((eb) => eb.fn.countAll<number | string>().as('live'))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(live);
  });
}

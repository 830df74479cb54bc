/** A file that is gone when a call has answered is served by no process from then on, however warm its link is. */
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { expect, test } from 'vitest';
import { findBytes } from '../../server/src/moderation/find-file.ts';
import { takeDown } from '../../server/src/moderation/take-down.ts';
import { type SignedIn, signUpAndIn } from '../../server/test/harness/accounts.ts';
import { startServerProcess } from '../../server/test/harness/server-process.ts';
import { startServer, type TestServer } from '../../server/test/harness/start-server.ts';
import { formWith, sendForm, storedNameOf } from '../../server/test/harness/uploads.ts';

const tries = process.env['LONG_DRILL'] === undefined ? 600 : 10_000;
const lanes = 4;

type Origin = Pick<TestServer, 'url'>;
type Statuses = Record<number, number>;

test('links of one process are gone at once', async () => {
  await using server = await startServer();
  expect(await removeUnderReaders(server, [server])).toEqual({ readable: tries, servedAfterwards: 0 });
});

test('links of another process of the same service are gone at once', async () => {
  await using server = await startServer();
  const url = `http://127.0.0.1:${await freePort()}`;
  const { database } = server.context.config;
  await using second = await startServerProcess({
    DATA_DIR: server.dataDir,
    ...(database.engine === 'postgres' && { DATABASE_URL: database.url }),
    HOST: '127.0.0.1',
    PORT: new URL(url).port,
    PUBLIC_URL: url,
  });
  await second.listening;
  expect(await removeUnderReaders(server, [{ url }, server])).toEqual({ readable: tries, servedAfterwards: 0 });
});

/**
 * Stores and removes a file for each try, in turn by a deletion, a takedown and an eviction, while readers download it
 * from each process without a pause. Counts the files that were readable before, and the responses to requests sent
 * after the removal had answered that still had the bytes.
 */
async function removeUnderReaders(server: TestServer, readFrom: readonly Origin[]) {
  const lane = async (number: number) => {
    const removals = await openRemovals(server);
    const count = { readable: 0, servedAfterwards: 0 };
    for (let at = number; at < tries; at += lanes) {
      const { name, remove } = await removals(`try ${at} of lane ${number}`);
      const readers = readFrom.map((origin) => keepReading(origin, name));
      await Promise.all(readers.map(({ isWarm }) => isWarm));
      await remove();
      const seen = await Promise.all(readers.map((reader) => reader.afterwards()));
      count.readable += readers.every((reader) => reader.before() > 0) ? 1 : 0;
      count.servedAfterwards += seen.filter((statuses) => statuses[200] !== undefined).length;
    }
    return count;
  };
  const counts = await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  return {
    readable: counts.reduce((sum, { readable }) => sum + readable, 0),
    servedAfterwards: counts.reduce((sum, { servedAfterwards }) => sum + servedAfterwards, 0),
  };
}

/** Stores a new file for each call, and returns with it one of three ways that remove it. */
async function openRemovals(server: TestServer) {
  const owner = await signUpAndIn(server, { plan: 'power' });
  const full = await signUpAndIn(server);
  await full.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  // One slot is left: each upload evicts the one before it.
  await storeRows(
    server,
    full,
    Array.from({ length: 499 }, () => ({ favorite: true })),
  );
  let turn = 0;
  return async (text: string) => {
    turn += 1;
    const name = await upload(server, turn % 3 === 0 ? full : owner, text);
    const remove = async () => {
      if (turn % 3 === 0) return upload(server, full, `${text}, evicting`);
      if (turn % 3 === 1) return owner.byKey.deleteFiles({ body: { files: [name] } });
      const bytes = await findBytes(server.context, name);
      return takeDown(server.context, { operator: 'drill', action: 'take-down' }, bytes, text);
    };
    return { name, remove };
  };
}

async function upload(server: TestServer, account: SignedIn, text: string): Promise<string> {
  const answer = await sendForm(server, account, formWith(text));
  if (!answer.success) throw new Error(answer.error);
  return storedNameOf(answer.url);
}

/** Downloads the link in an endless loop, from `isWarm` on with the same result several times. */
function keepReading({ url }: Origin, name: string) {
  const warm = Promise.withResolvers<void>();
  let removed = false;
  let before = 0;
  const statuses: Statuses = {};
  const read = async () => {
    for (let after = 0; after < 3;) {
      const wasRemoved = removed;
      const answer = await fetch(`${url}/file/${name}.txt`);
      await answer.arrayBuffer();
      if (wasRemoved) {
        after += 1;
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      } else if (answer.status === 200 && (before += 1) === 2) warm.resolve();
    }
  };
  const reading = read();
  reading.catch(warm.reject);
  return {
    isWarm: warm.promise,
    before: () => before,
    /** Call it once the file is gone: it returns the statuses of three requests sent after that. */
    async afterwards(): Promise<Statuses> {
      removed = true;
      await reading;
      return statuses;
    },
  };
}

import { join } from 'node:path';
import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import { seededFile } from '@holdfast/test-support/seed-lists.ts';
import { openAsker } from './ask.ts';
import { runProgram } from './children.ts';
import { type Engine, openStore, type Store } from './engine.ts';
import { startHoldfast } from './holdfast.ts';
import { seedStore } from './seed-store.ts';

export interface StartedStore {
  /** Starts a server on the store, stops it, and returns the milliseconds from its start to its first response. */
  readonly firstAnswer: () => Promise<number>;
}

type SeededFile = ReturnType<typeof seededFile>;

/** Opens a store that a server has already run on, with `files` files in it. */
export async function openStartedStore(
  engine: Engine,
  folder: string,
  files: number,
): Promise<StartedStore & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const store = opened.use(await openStore(engine, join(folder, `${engine}-${files}`)));
  if (files > 0) await fill(store, files);
  const started = await startOnce(engine, store, { folder, file: seededFile(0), isThere: files > 0 });
  const held = opened.move();
  return { ...started, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

interface Expected {
  /** For the compiled code of the server. */
  readonly folder: string;
  /** The file that each start is asked for: the same one, so that the response shows which database it came from. */
  readonly file: SeededFile;
  readonly isThere: boolean;
}

/** Runs a server on the store once, so that later starts find everything as it left it. */
export async function startOnce(engine: Engine, store: Store, expected: Expected): Promise<StartedStore> {
  // Like `npm start`, which caches compiled code between starts.
  const environment = { ...store.environment, NODE_COMPILE_CACHE: join(expected.folder, 'compiled') };
  const start = () => startHoldfast(store.dataDir, environment);
  await askFirst(start, expected);
  await runProgram('sync', []);
  return {
    async firstAnswer() {
      if (engine === 'SQLite') await forget(join(store.dataDir, 'holdfast.db'));
      return await askFirst(start, expected);
    },
  };
}

async function fill(store: Store, files: number): Promise<void> {
  await seedStore(store, [1_000], files);
  await using db = await store.open();
  await db
    .insertInto('blobs')
    .columns(['id', 'sha256', 'size', 'used_by', 'created_at'])
    .expression((eb) =>
      eb.selectFrom('files').select(['blob_id', 'sha256', 'size', eb.lit(1).as('used_by'), 'uploaded_at']),
    )
    .execute();
}

/** Drops the file from the page cache: after a reboot nothing of the database is in memory. */
async function forget(path: string): Promise<void> {
  await runProgram('dd', [`if=${path}`, 'iflag=nocache', 'count=0', 'status=none']);
}

async function askFirst(
  start: () => ReturnType<typeof startHoldfast>,
  { file: { name, sha256 }, isThere }: Expected,
): Promise<number> {
  const begun = performance.now();
  await using server = await start();
  using asker = openAsker();
  const { status, body } = await asker.ask(`${server.url}${fileRoot}${name}.sha256`);
  const took = performance.now() - begun;
  const isRight = isThere ? status === 200 && body === sha256 : status === 404;
  if (!isRight) throw new Error(`the first answer was ${status}: ${body.slice(0, 200)}`);
  return took;
}

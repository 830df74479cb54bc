import { join } from 'node:path';
import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import { seededFile } from '@holdfast/test-support/seed-lists.ts';
import { openAsker } from './ask.ts';
import { runProgram } from './children.ts';
import { type Engine, openStore, type Store } from './engine.ts';
import { startHoldfast } from './holdfast.ts';
import { seedStore } from './seed-store.ts';

export interface StartedStore extends AsyncDisposable {
  /** Starts a server on the store, stops it, and returns the milliseconds from its start to its first response. */
  readonly firstAnswer: () => Promise<number>;
}

const { name, sha256 } = seededFile(0);

/** Opens a store that a server has already run on, with `files` files in it. */
export async function openStartedStore(engine: Engine, folder: string, files: number): Promise<StartedStore> {
  await using opened = new AsyncDisposableStack();
  const store = opened.use(await openStore(engine, join(folder, `${engine}-${files}`)));
  if (files > 0) await fill(store, files);
  const environment = {
    ...store.environment,
    // Like `npm start`, which caches compiled code between starts.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  };
  const start = () => startHoldfast(store.dataDir, environment);
  await askFirst(start, files);
  await runProgram('sync', []);
  const held = opened.move();
  return {
    async firstAnswer() {
      if (engine === 'SQLite') await forget(join(store.dataDir, 'holdfast.db'));
      return await askFirst(start, files);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
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

/** Requests the same name each time, so that the response also shows which database it came from. */
async function askFirst(start: () => ReturnType<typeof startHoldfast>, files: number): Promise<number> {
  const begun = performance.now();
  await using server = await start();
  using asker = openAsker();
  const { status, body } = await asker.ask(`${server.url}${fileRoot}${name}.sha256`);
  const took = performance.now() - begun;
  const right = files > 0 ? status === 200 && body === sha256 : status === 404;
  if (!right) throw new Error(`with ${files} files the first answer was ${status}: ${body.slice(0, 200)}`);
  return took;
}

import { join } from 'node:path';
import type { Account } from './account.ts';
import { type Engine, openStore } from './engine.ts';
import { type Holdfast, startHoldfast } from './holdfast.ts';
import { createAccounts } from './new-accounts.ts';
import { uploadSmall } from './small-uploads.ts';

export interface SmallFiles extends AsyncDisposable {
  readonly server: Holdfast;
  readonly account: Account;
  readonly files: readonly SmallFile[];
}

export interface SmallFile {
  readonly link: string;
  readonly sha256: string;
}

/** Starts a server with an account that has uploaded small files, and nothing else. */
export async function openSmallFiles(engine: Engine, folder: string, count: number): Promise<SmallFiles> {
  await using opened = new AsyncDisposableStack();
  const store = opened.use(await openStore(engine, join(folder, engine)));
  const [account] = await createAccounts(store, 1);
  if (!account) throw new Error('unreachable: an account was created');
  const server = opened.use(await startHoldfast(store.dataDir, store.environment));
  const { files } = await uploadSmall(server.url, [account], { uploads: count, atOnce: 4, readBack: 0 });
  const held = opened.move();
  return { server, account, files, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

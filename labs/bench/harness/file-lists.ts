import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import type { SortColumn } from '@holdfast/contract/src/limits.ts';
import type { SeededAccount } from '@holdfast/test-support/seed-lists.ts';
import { type Answer, type Asker, openAsker } from './ask.ts';
import { type Engine, openStore, type Store } from './engine.ts';
import { finestLoopClock, type Holdfast, startHoldfast } from './holdfast.ts';
import { longestStall } from './longest-stall.ts';
import { seedStore } from './seed-store.ts';

export interface FileLists extends AsyncDisposable {
  readonly accounts: readonly SeededAccount[];
  /** Requests one page and returns the milliseconds that it took. Throws if the page is wrong. */
  readonly ask: (account: SeededAccount, page: AskedPage) => Promise<number>;
  /** Requests one page and returns the longest delay of the server's event loop meanwhile, in milliseconds. */
  readonly stall: (account: SeededAccount, page: AskedPage) => Promise<number>;
}

export interface AskedPage {
  readonly column: SortColumn;
  readonly page: number;
  readonly limit: number;
  readonly search: string;
  /** Total on all pages. */
  readonly total: number;
}

/** Starts a server on a database with `total` files, among them accounts with the numbers of files in `sizes`. */
export async function openFileLists(
  engine: Engine,
  folder: string,
  sizes: readonly number[],
  total: number,
): Promise<FileLists> {
  await using opened = new AsyncDisposableStack();
  const store = opened.use(await openStore(engine, join(folder, engine)));
  const lists = opened.use(await openListsOf(store, await seedStore(store, sizes, total)));
  const held = opened.move();
  return { ...lists, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Starts a server on a store with these accounts. */
export async function openListsOf(store: Store, accounts: readonly SeededAccount[]): Promise<FileLists> {
  await using opened = new AsyncDisposableStack();
  const environment = { TRUST_PROXY: '127.0.0.1', ...store.environment, ...finestLoopClock };
  const server = opened.use(await startHoldfast(store.dataDir, environment));
  const asker = opened.use(openAsker());
  const held = opened.move();
  const ask: FileLists['ask'] = (account, page) => askFor(server, asker, account, page);
  return {
    accounts,
    ask,
    stall: (account, page) => longestStall(server, () => ask(account, page)),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function askFor(server: Holdfast, asker: Asker, { apiKey }: SeededAccount, page: AskedPage): Promise<number> {
  const { column, limit, search, total } = page;
  const query = new URLSearchParams({ column, limit: String(limit), page: String(page.page), search });
  const url = `${server.url}${endpoints.getFileList.path}?${query}`;
  const { body, took } = await askInTime(asker, url, apiKey);
  const reply = JSON.parse(body) as { files?: readonly unknown[]; pagination?: { total_files: number } };
  const expected = Math.max(0, Math.min(limit, total - (page.page - 1) * limit));
  if (reply.files?.length !== expected || reply.pagination?.total_files !== total)
    throw new Error(`${expected} of ${total} files were expected, and the answer was ${body.slice(0, 200)}`);
  return took;
}

let asked = 0;

/** Waits whenever the account has used up its lists: the time is that of the call that was let in. */
async function askInTime({ ask }: Asker, url: string, apiKey: string): Promise<Answer> {
  for (;;) {
    asked += 1;
    const answer = await ask(url, {
      'X-API-Key': apiKey,
      // Each call comes from a different address, because an address may make only four a second.
      'X-Forwarded-For': `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`,
    });
    if (answer.status !== 429) return answer;
    await setTimeout(Number(answer.headers['retry-after']) * 1000);
  }
}

import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { endpoints } from '../../contract/src/endpoints.ts';
import type { SortColumn } from '../../contract/src/files.ts';
import { openPostgres } from '../../server/src/engines/database/postgres.ts';
import { openSqlite } from '../../server/src/engines/database/sqlite.ts';
import { type SeededAccount, seedLists } from '../../server/test/harness/seed-lists.ts';
import { startPostgres } from '../../server/test/harness/start-postgres.ts';
import { type Holdfast, startHoldfast } from './holdfast.ts';

export type Engine = 'SQLite' | 'PostgreSQL';

export interface FileLists extends AsyncDisposable {
  readonly accounts: readonly SeededAccount[];
  /** Asks for one page and answers how many milliseconds it took. A page that is not as it should be throws. */
  readonly ask: (account: SeededAccount, page: AskedPage) => Promise<number>;
}

export interface AskedPage {
  readonly column: SortColumn;
  readonly page: number;
  readonly limit: number;
  readonly search: string;
  /** On all pages. */
  readonly total: number;
}

/** A server on a database that has `total` files, with accounts of as many as `sizes` says among them. */
export async function openFileLists(
  engine: Engine,
  folder: string,
  sizes: readonly number[],
  total: number,
): Promise<FileLists> {
  await using opened = new AsyncDisposableStack();
  const dataDir = join(folder, engine);
  const url = engine === 'PostgreSQL' ? `${opened.use(await startPostgres()).url}/postgres` : null;
  const db = url === null ? await openSqlite(join(dataDir, 'holdfast.db')) : await openPostgres(url, { warn() {} });
  const accounts = await seedLists(db, sizes, total);
  await db.destroy();
  const environment = { TRUST_PROXY: '127.0.0.1', ...(url !== null && { DATABASE_URL: url }) };
  const server = opened.use(await startHoldfast(dataDir, environment));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  opened.defer(() => agent.destroy());
  const held = opened.move();
  return {
    accounts,
    ask: (account, page) => askFor(server, agent, account, page),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

let asked = 0;

async function askFor(server: Holdfast, agent: Agent, { apiKey }: SeededAccount, page: AskedPage): Promise<number> {
  asked += 1;
  const { column, limit, search, total } = page;
  const query = new URLSearchParams({ column, limit: String(limit), page: String(page.page), search });
  const headers = {
    'X-API-Key': apiKey,
    // Each call from somewhere else: an address may make four a second.
    'X-Forwarded-For': `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`,
  };
  const start = performance.now();
  const body = await new Promise<string>((resolve, reject) => {
    request(`${server.url}${endpoints.getFileList.path}?${query}`, { agent, headers }, (answer) => {
      text(answer).then(resolve, reject);
    })
      .on('error', reject)
      .end();
  });
  const took = performance.now() - start;
  const reply = JSON.parse(body) as { files?: readonly unknown[]; pagination?: { total_files: number } };
  const expected = Math.max(0, Math.min(limit, total - (page.page - 1) * limit));
  if (reply.files?.length !== expected || reply.pagination?.total_files !== total)
    throw new Error(`${expected} of ${total} files were expected, and the answer was ${body.slice(0, 200)}`);
  return took;
}

/** Processes of an older version while a newer one migrates their database. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { noMail, startSeveral } from '../harness/several-processes.ts';
import { formWith, sendForm, storedNameOf } from '../harness/uploads.ts';

test('a process serves on while columns and tables are added, and an older one does not start afterwards', async () => {
  const { processes, context, start } = await startSeveral(1);
  const [node] = processes;
  if (!node) throw new Error('there is no process');
  const ann = await signUpAndIn({ url: node.url, mail: noMail, context }, { plan: 'power' });
  const { db } = context;
  const rounds: number[][] = [];
  let asked = 0;
  /** Everything that a script does with a file. */
  const useFile = async () => {
    asked += 1;
    const statuses: number[] = [];
    rounds.push(statuses);
    const seen = (code: number) => void statuses.push(code);
    const headers = { 'X-API-Key': ann.apiKey, 'X-Forwarded-For': `203.0.113.${asked}` };
    const { status, url } = await sendForm(node, ann, formWith(`text ${asked}`));
    seen(status);
    const name = storedNameOf(url);
    seen((await fetch(`${node.url}/file/${name}`)).status);
    seen((await fetch(`${node.url}/api/v3/rest/get-file-list`, { headers })).status);
    const body = JSON.stringify({ files: [name] });
    const json = { ...headers, 'Content-Type': 'application/json' };
    seen((await fetch(`${node.url}/api/v3/rest/delete-files`, { method: 'DELETE', headers: json, body })).status);
    seen((await fetch(`${node.url}/file/${name}`)).status);
  };
  const migrated = new AbortController();
  const inUse = (async () => {
    while (!migrated.signal.aborted) await useFile();
    await useFile();
  })();
  await useFile();
  for (const table of ['accounts', 'files', 'blobs', 'sessions', 'activity'])
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN newer bigint NOT NULL DEFAULT 0`.execute(db);
  await sql`CREATE TABLE newer (id text PRIMARY KEY)`.execute(db);
  await db.insertInto('migrations').values({ name: '9999-adds.sql', applied_at: 0 }).execute();
  migrated.abort();
  await inUse;
  expect(rounds).toEqual(rounds.map(() => [200, 200, 200, 200, 404]));

  await expect(start()).rejects.toThrow(
    'The database is newer than this program (it has 9999-adds.sql). Install the newer version again.',
  );
  expect(node.hasEnded).toBe(false);
});

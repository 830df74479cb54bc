/** Another process, such as a backup tool, holds the lock of a SQLite file. PostgreSQL has no such lock. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { startServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';

const hold = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1]);
  db.exec('BEGIN IMMEDIATE');
  console.log('locked');
  process.stdin.on('end', () => db.exec('COMMIT')).resume();`;

test.skipIf(process.env['TEST_DATABASE'] === 'postgres')(
  'while another process locks the database, writes are 503 after a wait, and reads work',
  async () => {
    await using server = await startServer();
    const account = await signUpAndIn(server);
    const name = await uploadFile(server, account, 'hello');
    const change = () =>
      call(server, endpoints.toggleFavorite.path, {
        method: endpoints.toggleFavorite.method,
        headers: { 'X-API-Key': account.apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ file: name }),
      });
    const other = spawn(process.execPath, ['-e', hold, join(server.dataDir, 'holdfast.db')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(other.stdout, 'data');
    const refused = Promise.all([change(), change(), change()]);
    expect((await fetch(fileUrl(server, name))).status).toBe(200);
    expect(await account.byKey.getFileList({ query: {} })).toMatchObject({ files: [{ name }] });
    for (const answer of await refused) {
      expect(answer).toMatchObject({ status: 503, json: { success: false, error: { code: 'UNAVAILABLE' } } });
      expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
    }
    const waiting = change();
    other.stdin.end();
    await once(other, 'exit');
    expect(await waiting).toMatchObject({ status: 200 });
  },
);

/** Generated clients of `/openapi.json`: they compile under every strict option, and make every call. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenApi } from '@holdfast/contract/src/openapi-types.ts';
import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { clientPrograms } from './client-programs.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const generate = fileURLToPath(new URL('generate-clients.ts', import.meta.url));

async function runNode(folder: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: folder, env }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

/** A folder with a server's document, beside the modules of this repository. */
async function folderWithDocument(server: TestServer) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-clients-'));
  await symlink(modules, join(folder, 'node_modules'));
  const { text } = await call(server, '/openapi.json');
  await writeFile(join(folder, 'openapi.json'), text);
  return {
    folder,
    document: JSON.parse(text) as OpenApi,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const sha256 = createHash('sha256').update('kelp').digest('hex');
const everyCall = {
  upload: true,
  getFileList: [sha256, 4, 1],
  toggleFavorite: true,
  getAccountInfo: true,
  getAccountSettings: 8,
  getFile: 'kelp',
  headFile: `"${sha256}"`,
  getFileDigest: sha256,
  headFileDigest: '64',
  getFileSha1: createHash('sha1').update('kelp').digest('hex'),
  headFileSha1: '40',
  deleteFiles: 1,
  restoreFiles: 1,
  createUpload: '/api/v3/tus/',
  readUpload: ['0', '5'],
  appendToUpload: ['5', true],
  removeUpload: 204,
  refusal: 'FILE_NOT_FOUND',
};

test('clients of two generators compile under every strict option and make every call', async ({ server }) => {
  await using made = await folderWithDocument(server);
  const { folder, document } = made;
  for (const [file, text] of Object.entries(clientPrograms)) await writeFile(join(folder, file), text);
  expect(await runNode(folder, generate, 'openapi.json', folder)).toEqual({ code: 0, out: '', err: '' });
  const [compiled, ran] = await Promise.all([
    runNode(folder, join(modules, 'typescript/bin/tsc'), '--pretty', 'false'),
    signUpAndIn(server, { plan: 'starter' }).then(({ apiKey }) => runNode(folder, 'main.ts', server.url, apiKey)),
  ]);
  expect((compiled.out + compiled.err).split('\n').filter(isFault)).toEqual([]);
  expect(ran).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(ran.out)).toEqual([everyCall, everyCall]);
  const documented = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(Object.keys(everyCall).toSorted()).toEqual([...documented, 'refusal'].toSorted());
});

/** One generator's own files, the same for every document, are not written for `exactOptionalPropertyTypes`. */
const ownFault = /^hey-api\/(client|core)\/[\w.]+\(\d+,\d+\): error TS23\d\d: .*'exactOptionalPropertyTypes: true'/;
/** Lines that explain a fault begin with a space. */
const isFault = (line: string) => /^\S/.test(line) && !ownFault.test(line);

test('a linter finds no problem in the document under its strictest rules', async () => {
  await using server = await startServer({ PUBLIC_URL: 'https://app.example', FILE_ORIGINS: 'https://files.example' });
  await using made = await folderWithDocument(server);
  const linter = join(modules, '@redocly/cli/bin/cli.js');
  const linted = await runNode(
    made.folder,
    linter,
    'lint',
    '--extends',
    'recommended-strict',
    '--format',
    'json',
    'openapi.json',
  );
  expect(JSON.parse(linted.out)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
});

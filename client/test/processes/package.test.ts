import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { signUpAndIn } from '@holdfast/server/test/harness/accounts.ts';
import { startServer } from '@holdfast/server/test/harness/start-server.ts';
import { sha256 } from '@holdfast/server/test/harness/uploads.ts';
import { expect, test } from 'vitest';

const client = fileURLToPath(new URL('../..', import.meta.url));

const program = `
import { createHoldfast, HoldfastError, type StoredFile } from '@holdfast/client';

declare const process: { readonly argv: readonly string[]; exitCode: number };
const [, , url = '', apiKey = ''] = process.argv;
const holdfast = createHoldfast({ url, apiKey });
const { url: link }: { url: string } = await holdfast.upload(new Blob(['hello']), { name: 'a.txt' });
const { files } = await holdfast.getFileList({ query: { column: 'size', limit: 5 } });
const [file]: readonly StoredFile[] = files;
const isRefused = await holdfast.download('abcdefgh').catch((error: unknown) =>
  error instanceof HoldfastError && error.code === 'FILE_NOT_FOUND' && error.retryAfter === undefined);
// @ts-expect-error there is no such column
const wrong: Parameters<typeof holdfast.getFileList>[0]['query'] = { column: 'weight' };
console.log(JSON.stringify([await holdfast.getDigest(link), file?.original_name, isRefused, wrong.column]));
`;

test('the packed package works alone, with types of its own', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-package-'));
  stack.defer(() => rm(folder, { recursive: true }));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: client });
  const [archive = ''] = await readdir(folder);
  const installed = join(folder, 'node_modules/@holdfast/client');
  await mkdir(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, archive), '-C', installed, '--strip-components=1']);
  const script = await readFile(join(installed, 'dist/client.js'), 'utf8');
  expect(script).not.toMatch(/^import|\brequire\(|node:|zod/m);

  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'program.ts'), program);
  const require = createRequire(join(client, '../package.json'));
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--types', ''];
  const modern = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
  execFileSync(process.execPath, [tsc, ...strict, ...modern, 'program.ts'], { cwd: folder, stdio: 'inherit' });

  const server = stack.use(await startServer());
  const { apiKey } = await signUpAndIn(server);
  // Not `execFileSync`: the server is in this process.
  const { stdout } = await promisify(execFile)(process.execPath, ['program.js', server.url, apiKey], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual([sha256('hello'), 'a.txt', true, 'weight']);
});

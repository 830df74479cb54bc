import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { signUpAndIn } from '@holdfast/server/test/harness/accounts.ts';
import { startServer } from '@holdfast/server/test/harness/start-server.ts';
import { sha256 } from '@holdfast/server/test/harness/uploads.ts';
import { expect, test } from 'vitest';

const own = fileURLToPath(new URL('../..', import.meta.url));

test('files are uploaded, listed, downloaded and deleted, and each outcome has its exit code', async () => {
  await using stack = new AsyncDisposableStack();
  execFileSync(process.execPath, ['build.mjs'], { cwd: own });
  const server = stack.use(await startServer());
  const account = await signUpAndIn(server);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-cli-test-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const env = { PATH: process.env['PATH'], HOME: folder };
  const run = async (args: readonly string[], input = '') => {
    const child = spawn(process.execPath, [join(own, 'dist/holdfast-cli.js'), ...args], { cwd: folder, env });
    child.stdin.end(input);
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.on('close', resolve)),
    ]);
    return { out, err, code };
  };
  expect(await run(['ls'])).toMatchObject({ code: 3, err: 'Sign in first: holdfast-cli login URL\n' });
  expect(await run(['login', server.url], 'hf_wrong')).toMatchObject({ code: 3 });
  expect(await run(['login', server.url], account.apiKey)).toMatchObject({ code: 0 });
  const keys = join(folder, '.config/holdfast-cli/sites.json');
  expect((await stat(keys)).mode & 0o777).toBe(0o600);

  await mkdir(join(folder, 'some/deep'), { recursive: true });
  const bytes = randomBytes(1_000_000);
  await writeFile(join(folder, 'some/a.zip'), bytes);
  await writeFile(join(folder, 'some/deep/b.txt'), 'hello');
  const uploaded = await run(['upload', 'some/**/*.txt', 'some', '--json', '--favorite']);
  expect(uploaded).toMatchObject({ code: 0, err: '' });
  const lines = uploaded.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);
  expect(new Set(lines.map(({ name }) => name))).toEqual(new Set(['a.zip', 'b.txt']));
  const piped = await run(['upload', '-', '--name', 'c.txt'], 'from a pipe');
  expect(piped).toMatchObject({ code: 0, out: expect.stringMatching(/\/file\/\w+\.txt\n$/) });
  expect((await run(['ls', '--sort', 'size'])).out.split('\n').map((line) => line.split('\t').slice(1))).toEqual([
    ['1.0 MB', '0', '*', 'a.zip'],
    ['11 B', '0', '-', 'c.txt'],
    ['5 B', '0', '*', 'b.txt'],
    [],
  ]);
  const link = (lines.find(({ name }) => name === 'a.zip')?.['url'] ?? '').replace(
    /localhost:\d+/,
    new URL(server.url).host,
  );
  expect(await run(['get', link])).toMatchObject({ code: 0, out: 'a.zip\n' });
  expect(sha256(await readFile(join(folder, 'a.zip')))).toBe(sha256(bytes));
  expect(await run(['get', link])).toMatchObject({ code: 2 });
  await writeFile(join(folder, 'again.part'), bytes.subarray(0, 500_000));
  expect(await run(['get', link, '-o', 'again'])).toMatchObject({ code: 0 });
  expect(sha256(await readFile(join(folder, 'again')))).toBe(sha256(bytes));
  const isFavorite = async () => /is_favorite\t(.*)/.exec((await run(['info', link])).out)?.[1];
  expect(await run(['fav', link])).toMatchObject({ code: 0 });
  expect(await isFavorite()).toBe('true');
  expect(await run(['fav', '--off', link])).toMatchObject({ code: 0 });
  expect(await isFavorite()).toBe('false');
  expect(await run(['info'])).toMatchObject({ code: 0, out: expect.stringContaining(account.email) });
  expect(await run(['rm', link])).toMatchObject({ code: 0 });
  expect(await run(['rm', link])).toMatchObject({ code: 4 });
  await writeFile(join(folder, 'x.exe'), 'x');
  expect(await run(['upload', 'x.exe'])).toMatchObject({ code: 5 });
  expect(await run(['upload', 'no-such'])).toMatchObject({ code: 4 });
  expect(await run(['frobnicate'])).toMatchObject({ code: 2 });
});

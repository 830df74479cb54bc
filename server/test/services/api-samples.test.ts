/** Every sample of the API docs works unmodified against a running server, in each language of this machine. */
import { exampleReplies } from '@holdfast/contract/src/api-docs/examples.ts';
import type { SampleAnchor } from '@holdfast/contract/src/api-docs/sample-anchors.ts';
import { retrySamples } from '@holdfast/contract/src/api-docs/samples-retry.ts';
import { failureToReply } from '@holdfast/contract/src/envelope.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { fillSample } from '@holdfast/contract/src/api-docs/fill-sample.ts';
import { type SampleLanguage, sampleLanguages, samples } from '@holdfast/contract/src/api-docs/samples.ts';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer } from '../harness/start-server.ts';
import { tusOf } from '../harness/tus.ts';
import { fileUrl, storedNameOf, uploadFile } from '../harness/uploads.ts';

const run = promisify(execFile);
/** The file that every sample uses. */
const sampleFile = 'q7Rt2mXa';

/** How a reader runs a sample who saved it as `file`. A Java without its compiler cannot run a source file. */
const runners: Readonly<Record<SampleLanguage, { program: string; probe: string[]; has: RegExp; file: string }>> = {
  curl: { program: 'sh', probe: ['-c', 'curl --version'], has: /curl/, file: 'sample.sh' },
  sdk: { program: process.execPath, probe: ['--version'], has: /v/, file: 'sample.ts' },
  javascript: { program: process.execPath, probe: ['--version'], has: /v/, file: 'sample.mjs' },
  python: { program: 'python3', probe: ['--version'], has: /Python/, file: 'sample.py' },
  java: { program: 'java', probe: ['--list-modules'], has: /jdk\.compiler/, file: 'Sample.java' },
};

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** A folder with the package of the SDK, as npm installs it. */
let installed: string;
beforeAll(async () => {
  installed = await mkdtemp(join(tmpdir(), 'holdfast-sdk-'));
  const sdk = join(installed, '@holdfast/client');
  await mkdir(sdk, { recursive: true });
  await copyFile(join(root, 'client/package.json'), join(sdk, 'package.json'));
  execFileSync(process.execPath, [join(root, 'client/build.mjs'), join(sdk, 'dist')]);
  await symlink(join(root, 'node_modules/@types'), join(installed, '@types'));
});
afterAll(() => rm(installed, { recursive: true }));

async function isHere(language: SampleLanguage): Promise<boolean> {
  const { program, probe, has } = runners[language];
  return run(program, probe).then(
    ({ stdout }) => has.test(stdout),
    () => false,
  );
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-samples-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'hello.txt'), 'hello');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(installed, join(folder, 'node_modules'));
  return folder;
}

/** Returns what the sample prints; rejects if it ends with an error. */
async function runSample(language: SampleLanguage, sample: string, folder: string): Promise<string> {
  const { program, file } = runners[language];
  await writeFile(join(folder, file), sample);
  const { stdout } = await run(program, [file], { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } });
  return stdout;
}

/** Names of the files that a sample stores. */
const otherUploads: Partial<Record<SampleAnchor, readonly string[]>> = {
  'put-file': ['hello.txt', 'hello.txt.gz'],
  'upload-batch': ['hello.txt', 'hello-again.txt'],
  tus: ['hello.txt'],
};

test.for(sampleLanguages)(
  'the samples in %s do what the docs say, or end with an error',
  // Each of Java's samples is compiled first.
  { timeout: 180_000 },
  async (language, { skip }) => {
    if (!(await isHere(language))) skip(`there is no ${language} on this machine`);
    await using server = await startServer();
    const account = await signUpAndIn(server);
    const folder = await newFolder();
    const name = await uploadFile(server, account, 'hello', 'hello.txt');
    await server.context.db.updateTable('files').set({ name: sampleFile }).where('name', '=', name).execute();
    const sampleWith = (key: string) => (anchor: SampleAnchor) =>
      runSample(language, fillSample(samples[language][anchor] ?? '', { origin: server.url, key }), folder);
    const sample = sampleWith(account.apiKey);
    const listed = async () => (await account.byKey.getFileList({ query: {} })).files;

    await sample('file');
    expect(await readFile(join(folder, 'hello-again.txt'), 'utf8')).toBe('hello');
    expect(await sample('get-file-list')).toMatch(/q7Rt2mXa[^]*hello\.txt/);
    expect(await sample('toggle-favorite')).toMatch(/true/i);
    expect(await listed()).toMatchObject([{ name: sampleFile, is_favorite: true }]);
    expect(await sample('delete-files')).toContain(sampleFile);
    expect(await listed()).toEqual([]);
    expect(await sample('restore-files')).toContain(sampleFile);
    expect(await listed()).toHaveLength(1);
    await sample('delete-files');
    const [, url = ''] = /(http:[^"\s]+)/.exec(await sample('upload')) ?? [];
    expect(await (await fetch(fileUrl(server, storedNameOf(url)))).text()).toBe('hello');
    expect(await listed()).toMatchObject([{ original_name: 'hello.txt' }]);
    expect(await sample('get-account-info')).toContain(account.email);
    expect(await sample('get-account-settings')).toContain('preferred_filename_length');

    for (const [anchor, names] of Object.entries(otherUploads)) {
      if (!(anchor in samples[language])) continue;
      const links = (await sample(anchor as SampleAnchor)).match(/http:[^"\s]+/g) ?? [];
      expect(links, anchor).toHaveLength(names.length);
      expect(await (await fetch(fileUrl(server, storedNameOf(links[0] ?? '')))).text()).toBe('hello');
      const newest = (await listed()).slice(0, names.length).map(({ original_name: each }) => each);
      expect(newest.toSorted()).toEqual(names.toSorted());
    }

    const refused = sampleWith(account.apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')));
    for (const anchor of ['upload', 'toggle-favorite'] as const)
      await expect(refused(anchor)).rejects.toMatchObject({ code: expect.any(Number) });
  },
);

test.for(sampleLanguages)('the sample in %s repeats a call beyond the limit', async (language, { skip }) => {
  if (!(await isHere(language))) skip(`there is no ${language} on this machine`);
  const limited = failureToReply(new Failure('RATE_LIMITED'), false);
  const statuses: number[] = [];
  const server = createServer((_request, response) => {
    const status = statuses.length === 0 ? 429 : 200;
    statuses.push(status);
    response.writeHead(status, status === 429 ? { 'Retry-After': 1 } : {});
    response.end(JSON.stringify(status === 429 ? limited : exampleReplies.getAccountInfo));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const printed = await runSample(
    language,
    fillSample(retrySamples[language], { origin, key: 'a' }),
    await newFolder(),
  );
  expect(printed).toContain('ada@example.com');
  expect(statuses).toEqual([429, 200]);
});

test('the sample of the SDK goes on with the upload of another process', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const tus = tusOf(server, account);
  const path = await tus.begin(5, { filename: 'begun.txt' });
  await tus.send(path, 0, 'HE');
  const folder = await newFolder();
  await writeFile(join(folder, 'upload-id'), path.split('/').at(-1) ?? '');
  const sample = fillSample(samples.sdk.tus ?? '', { origin: server.url, key: account.apiKey });
  const printed = await runSample('sdk', sample, folder);
  expect(await (await fetch(fileUrl(server, storedNameOf(printed.trim())))).text()).toBe('HEllo');
});

test('the samples of the SDK have the right types', async () => {
  const folder = await newFolder();
  const all = { ...samples.sdk, retry: retrySamples.sdk };
  const files = Object.keys(all).map((name) => `${name}.ts`);
  for (const [name, sample] of Object.entries(all)) await writeFile(join(folder, `${name}.ts`), sample);
  const options = '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2024 --types node';
  await run(join(root, 'node_modules/.bin/tsc'), [...options.split(' '), ...files], { cwd: folder });
});

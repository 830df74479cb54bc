/** Every sample of the API docs works unmodified against a running server, in each language of this machine. */
import { exampleReplies } from '@holdfast/contract/src/api-docs/examples.ts';
import type { SampleAnchor } from '@holdfast/contract/src/api-docs/sample-anchors.ts';
import { retrySamples } from '@holdfast/contract/src/api-docs/samples-retry.ts';
import { fillSample } from '@holdfast/contract/src/api-docs/fill-sample.ts';
import { type SampleLanguage, sampleLanguages, samples } from '@holdfast/contract/src/api-docs/samples.ts';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer } from '../harness/start-server.ts';
import { fileUrl, storedNameOf, uploadFile } from '../harness/uploads.ts';

const run = promisify(execFile);
/** The file that every sample uses. */
const sampleFile = 'q7Rt2mXa';

/** How a reader runs a sample who saved it as `file`. A Java without its compiler cannot run a source file. */
const runners: Readonly<Record<SampleLanguage, { program: string; probe: string[]; has: RegExp; file: string }>> = {
  curl: { program: 'sh', probe: ['-c', 'curl --version'], has: /curl/, file: 'sample.sh' },
  javascript: { program: process.execPath, probe: ['--version'], has: /v/, file: 'sample.mjs' },
  python: { program: 'python3', probe: ['--version'], has: /Python/, file: 'sample.py' },
  java: { program: 'java', probe: ['--list-modules'], has: /jdk\.compiler/, file: 'Sample.java' },
};

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
  return folder;
}

/** Returns what the sample prints; rejects if it ends with an error. */
async function runSample(language: SampleLanguage, sample: string, folder: string): Promise<string> {
  const { program, file } = runners[language];
  await writeFile(join(folder, file), sample);
  const { stdout } = await run(program, [file], { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } });
  return stdout;
}

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
      runSample(language, fillSample(samples[language][anchor], { origin: server.url, key }), folder);
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

    const refused = sampleWith(account.apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')));
    for (const anchor of ['upload', 'toggle-favorite'] as const)
      await expect(refused(anchor)).rejects.toMatchObject({ code: expect.any(Number) });
  },
);

test.for(sampleLanguages)('the sample in %s repeats a call beyond the limit', async (language, { skip }) => {
  if (!(await isHere(language))) skip(`there is no ${language} on this machine`);
  const statuses: number[] = [];
  const server = createServer((_request, response) => {
    const status = statuses.length === 0 ? 429 : 200;
    statuses.push(status);
    response.writeHead(status, status === 429 ? { 'Retry-After': 1 } : {});
    response.end(JSON.stringify(exampleReplies.getAccountInfo));
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

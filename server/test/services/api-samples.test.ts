/** Every sample of the API docs works unmodified against a running server. */
import { fillSample, type SampleLanguage, sampleLanguages, samples } from '@holdfast/contract/src/api-docs/samples.ts';
import type { SampleAnchor } from '@holdfast/contract/src/api-docs/sample-anchors.ts';
import { retrySamples } from '@holdfast/contract/src/api-docs/samples-retry.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, type TestContext } from 'vitest';
import { seconds } from '../../src/lib/clock.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, storedNameOf, uploadFile } from '../harness/uploads.ts';
import { frontOf } from './sample-front.ts';
import { runSample, whyNot } from './sample-runners.ts';

/** The file that every sample uses. */
const sampleFile = 'q7Rt2mXa';

describe.each(sampleLanguages)('with %s', (language: SampleLanguage) => {
  let server: TestServer;
  let account: SignedIn;
  let folder: string;
  let missing: string | undefined;

  beforeAll(async () => {
    missing = await whyNot(language);
    server = await startServer();
    folder = await mkdtemp(join(tmpdir(), 'holdfast-samples-'));
    await writeFile(join(folder, 'hello.txt'), 'hello');
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async (context: TestContext) => {
    if (missing !== undefined) context.skip(missing);
    account = await signUpAndIn(server);
    const name = await uploadFile(server, account, 'hello', 'hello.txt');
    const { db } = server.context;
    await db
      .updateTable('files')
      .set({ name: `old${name}` })
      .where('name', '=', sampleFile)
      .execute();
    await db.updateTable('files').set({ name: sampleFile }).where('name', '=', name).execute();
  });

  const run = (anchor: SampleAnchor, key = account.apiKey) =>
    runSample(language, fillSample(samples[language][anchor], { origin: server.url, key }), folder);
  const listed = async () => (await account.byKey.getFileList({ query: {} })).files;

  test('a file is downloaded', async () => {
    await run('file');
    expect(await readFile(join(folder, 'hello-again.txt'), 'utf8')).toBe('hello');
    await rm(join(folder, 'hello-again.txt'));
  });

  test('a file is uploaded, and its link is printed', async () => {
    const [, url = ''] = /(http:[^"\s]+)/.exec(await run('upload')) ?? [];
    const answer = await fetch(fileUrl(server, storedNameOf(url)));
    expect(await answer.text()).toBe('hello');
    expect((await listed()).map((file) => file.original_name)).toEqual(['hello.txt', 'hello.txt']);
  });

  test('the files are listed', async () => {
    const printed = await run('get-file-list');
    expect(printed).toContain(sampleFile);
    expect(printed).toContain('hello.txt');
  });

  test('a file becomes a favorite', async () => {
    expect(await run('toggle-favorite')).toMatch(/true/i);
    expect((await listed())[0]).toMatchObject({ name: sampleFile, is_favorite: true });
  });

  test('a file is deleted', async () => {
    expect(await run('delete-files')).toContain(sampleFile);
    expect(await listed()).toEqual([]);
  });

  test('the account is shown', async () => {
    expect(await run('get-account-info')).toContain(account.email);
  });

  test('the settings are shown', async () => {
    expect(await run('get-account-settings')).toContain('preferred_filename_length');
  });

  test('a call beyond the limit is repeated after the wait in the response', async () => {
    await using limited = await startServer({}, { limits: 'real' });
    const { apiKey, email, byKey } = await signUpAndIn(limited);
    await using front = await frontOf(limited);
    limited.clock.advance(seconds(10));
    for (let turn = 0; turn < 4; turn += 1) await byKey.getAccountInfo();
    const printed = await runSample(
      language,
      fillSample(retrySamples[language], { origin: front.url, key: apiKey }),
      folder,
    );
    expect(printed).toContain(email);
    const [refused, answered, ...more] = front.answers;
    expect([refused?.status, answered?.status, more]).toEqual([429, 200, []]);
    expect((answered?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThan(900);
  });

  test('a refusal ends the program with an error', async () => {
    const wrongKey = account.apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    for (const anchor of ['upload', 'get-file-list', 'toggle-favorite'] as const)
      await expect(run(anchor, wrongKey)).rejects.toMatchObject({ code: expect.any(Number) });
  });
});

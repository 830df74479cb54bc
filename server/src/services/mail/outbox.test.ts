import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { expect, test } from 'vitest';
import { readEml } from '../../../test/harness/read-eml.ts';
import { email, mailConformance, type MailEngine } from './conformance.ts';
import { openOutbox } from './outbox.ts';

interface Outbox extends MailEngine {
  readonly folder: string;
  readonly printed: string[];
}

async function openEngine(isTerminal = false): Promise<Outbox> {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-outbox-'));
  const printed: string[] = [];
  const from = { name: 'Holdfast', address: 'post@example.com' };
  return {
    folder,
    printed,
    mail: await openOutbox({ folder, from, print: (line) => printed.push(line), isTerminal }),
    async arrived() {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).toSorted();
      return Promise.all(names.map(async (name) => readEml(await readFile(join(folder, name), 'latin1'))));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

mailConformance(openEngine);

test('an email is a file that only its owner may read, and no partial file is left', async () => {
  await using engine = await openEngine();
  await engine.mail.send(email, 'one');
  const names = await readdir(engine.folder);
  expect(names).toEqual([expect.stringMatching(/\.eml$/)]);
  expect((await stat(join(engine.folder, names[0] ?? ''))).mode & 0o777).toBe(0o600);
});

test('the printed line names the recipient, the subject and the file, without the code', async () => {
  await using engine = await openEngine();
  await engine.mail.send(email, 'one');
  const [name] = await readdir(engine.folder);
  expect(engine.printed).toEqual([`Email to ada@example.com: ${email.subject} (${join(engine.folder, name ?? '')})`]);
});

test('on a terminal the printed line contains the code too', async () => {
  await using engine = await openEngine(true);
  await engine.mail.send(email, 'one');
  expect(engine.printed).toEqual([expect.stringContaining(`${email.subject} [123456] (`)]);
});

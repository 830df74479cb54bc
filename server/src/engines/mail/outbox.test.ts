import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { letter, mailConformance, type MailEngine, type ReadLetter } from './conformance.ts';
import { openOutbox } from './outbox.ts';

interface Outbox extends MailEngine {
  readonly folder: string;
  readonly printed: string[];
}

async function openEngine(isTerminal = false): Promise<Outbox> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-outbox-'));
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

/** As a mail program would: RFC 5322 headers, RFC 2047 words, and the two parts of a multipart/alternative. */
function readEml(source: string): ReadLetter {
  const { headers, body } = readEntity(source);
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '') ?? [];
  const [text = '', html = ''] = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const entity = readEntity(part.replace(/^\r\n/, ''));
      const encoding = entity.headers.get('content-transfer-encoding')?.[0];
      return decode(entity.body, encoding === 'base64' ? 'B' : encoding === 'quoted-printable' ? 'Q' : '');
    });
  return { headers, text, html };
}

function readEntity(source: string): { headers: Map<string, string[]>; body: string } {
  const end = source.indexOf('\r\n\r\n');
  const headers = new Map<string, string[]>();
  for (const line of source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), decodeWords(value)]);
  }
  return { headers, body: source.slice(end + 4) };
}

function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      decode(encoding.toUpperCase() === 'Q' ? text.replaceAll('_', ' ') : text, encoding.toUpperCase()),
    );
}

function decode(text: string, encoding: string): string {
  if (encoding === 'B') return Buffer.from(text, 'base64').toString();
  if (encoding !== 'Q') return Buffer.from(text, 'latin1').toString();
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

mailConformance(openEngine);

test('a letter is a file that only its owner may read, and nothing half written is left', async () => {
  await using engine = await openEngine();
  await engine.mail.send(letter);
  const names = await readdir(engine.folder);
  expect(names).toEqual([expect.stringMatching(/\.eml$/)]);
  expect((await stat(join(engine.folder, names[0] ?? ''))).mode & 0o777).toBe(0o600);
});

test('a folder that the outbox makes is closed to others', async () => {
  await using engine = await openEngine();
  const folder = join(engine.folder, 'deeper', 'outbox');
  const from = { name: 'Holdfast', address: 'post@example.com' };
  await openOutbox({ folder, from, print: () => {}, isTerminal: false });
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('a line names the recipient, the subject and the file, and keeps the code to itself', async () => {
  await using engine = await openEngine();
  await engine.mail.send(letter);
  const [name] = await readdir(engine.folder);
  expect(engine.printed).toEqual([`Mail to ada@example.com: ${letter.subject} (${join(engine.folder, name ?? '')})`]);
});

test('on a terminal the line shows the code too', async () => {
  await using engine = await openEngine(true);
  await engine.mail.send(letter);
  expect(engine.printed).toEqual([expect.stringContaining(`${letter.subject} [123456] (`)]);
});

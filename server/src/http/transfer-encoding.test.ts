import { expect, test } from 'vitest';
import type { ByteReader } from '../lib/byte-reader.ts';
import { decodeTransfer } from './transfer-encoding.ts';

/** Every cut of the text into pieces of one length. */
const lengths = [1, 2, 3, 5, 7, 76, 100_000];

function inPieces(text: string, length: number): ByteReader {
  let rest = Buffer.from(text, 'latin1');
  return {
    async read(into) {
      const count = rest.copy(into, 0, 0, Math.min(length, rest.length));
      rest = rest.subarray(count);
      return count;
    },
  };
}

async function decode(encoding: string, text: string, length: number): Promise<Buffer> {
  const body = decodeTransfer(encoding, inPieces(text, length));
  const into = Buffer.alloc(50);
  const pieces: Buffer[] = [];
  for (let count; (count = await body.read(into)) > 0;) pieces.push(Buffer.from(into.subarray(0, count)));
  return Buffer.concat(pieces);
}

const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, at) => (at * 7) % 256));
const inLines = (text: string, of = 76) => text.replaceAll(new RegExp(`.{${of}}`, 'g'), '$&\r\n');
const quoted = (of: Buffer) => inLines(of.toString('hex').replaceAll(/../g, '=$&'), 75).replaceAll('\r\n', '=\r\n');

test.each([
  ['', bytes.toString('latin1')],
  ['binary', bytes.toString('latin1')],
  ['base64', inLines(bytes.toString('base64'))],
  ['base64', inLines(bytes.toString('base64')).replaceAll('\r', '').replace(/=*$/, '\r\n \r\n')],
  ['quoted-printable', quoted(bytes)],
  ['quoted-printable', quoted(bytes).toUpperCase().replaceAll('\r', '')],
])('bytes in %j are stored as they were meant', async (encoding, text) => {
  for (const length of lengths) expect((await decode(encoding, text, length)).equals(bytes), `${length}`).toBe(true);
});

test('in quoted-printable text keeps its line breaks and loses those that are marked', async () => {
  for (const length of lengths)
    expect((await decode('quoted-printable', 'caf=C3=A9 \r\nau=\r\n lait=', length)).toString()).toBe(
      'café \r\nau lait',
    );
});

test.each([
  ['base64', 'aGVsbG8=aGVsbG8='],
  ['base64', 'aGVsbG8==='],
  ['base64', 'aGVsb'],
  ['base64', 'hello, world'],
  ['base64', '\0\x01\x02\xff'],
  ['quoted-printable', 'a=b'],
  ['quoted-printable', '50 = 50'],
  ['quoted-printable', 'cut =C'],
])('what is not in %s is refused: %j', async (encoding, text) => {
  for (const length of lengths)
    await expect(decode(encoding, text, length), `${length}`).rejects.toMatchObject({ code: 'UPLOAD_INVALID' });
});

test('an unknown encoding is refused', () => {
  expect(() => decodeTransfer('uuencode', inPieces('', 1))).toThrow(/Content-Transfer-Encoding 'uuencode'/);
});

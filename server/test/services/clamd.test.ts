/** The scanner engine on Debian's clamd. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClamd } from '../../src/services/scanner/clamd.ts';
import { inChunks, scannerConformance } from '../../src/services/scanner/conformance.ts';
import { ScannerUnavailable, type ScanVerdict } from '../../src/services/scanner/scanner.ts';
import { limits, marker, megabyte, type RunningClamd, startClamd } from './start-clamd.ts';

let clamd: RunningClamd;

beforeAll(async () => {
  clamd = await startClamd();
});
afterAll(() => clamd[Symbol.asyncDispose]());

const byPort = () => openClamd({ host: '127.0.0.1', port: clamd.port });
const soon = () => AbortSignal.timeout(30_000);
const nothing = { async [Symbol.asyncDispose]() {} };

describe('by TCP', () => {
  scannerConformance(async () => ({ scanner: byPort(), marker, ...nothing }));
});

describe('by a Unix socket', () => {
  scannerConformance(async () => ({ scanner: openClamd({ path: clamd.socket }), marker, ...nothing }));
});

test.each([65_536, 256 * 1024, megabyte, 4 * megabyte])(
  'a file beyond StreamMaxLength is unscannable, and never clean, in pieces of %i bytes',
  async (piece) => {
    const size = limits.stream + 40 * megabyte;
    async function* source() {
      for (let sent = 0; sent < size; sent += piece) yield Buffer.alloc(piece, 'a');
    }
    let lost = 0;
    // clamd resets a connection that it does not read to its end, and in rare cases its reply is lost with that. Then
    // there is no verdict, and the scan is repeated.
    const scan = async (): Promise<ScanVerdict> => {
      try {
        return await byPort().scan(source(), soon());
      } catch (error) {
        if (!(error instanceof ScannerUnavailable) || (lost += 1) > 2) throw error;
        return scan();
      }
    };
    for (let times = 0; times < 5; times += 1)
      expect(await scan()).toEqual({ kind: 'unscannable', why: 'it is larger than the scanner accepts' });
  },
);

test('a file beyond MaxFileSize is unscannable, also with the marker behind the limit', async () => {
  const bytes = Buffer.concat([Buffer.alloc(limits.file + megabyte, 'a'), Buffer.from(marker)]);
  expect(await byPort().scan(inChunks(bytes), soon())).toEqual({
    kind: 'unscannable',
    why: 'Heuristics.Limits.Exceeded.MaxFileSize',
  });
});

test('an encrypted archive is unscannable', async () => {
  expect(await byPort().scan(inChunks(encryptedZip()), soon())).toEqual({
    kind: 'unscannable',
    why: 'Heuristics.Encrypted.Zip',
  });
});

test('a default clamd without AlertExceedsMax finds nothing clean, and a check names the setting', async () => {
  await using asItComes = await startClamd([]);
  const scanner = openClamd({ host: '127.0.0.1', port: asItComes.port });
  const beyond = Buffer.alloc(limits.file + megabyte, 'a');
  expect(await plainAnswer(asItComes.port, beyond)).toBe('stream: OK');
  expect((await scanner.scan(inChunks(beyond), soon())).kind).toBe('unscannable');
  expect((await scanner.scan(inChunks(Buffer.from('hello')), soon())).kind).toBe('unscannable');
  expect((await scanner.scan(inChunks(Buffer.from(marker)), soon())).kind).toBe('infected');
  expect((await scanner.check(soon())).problems).toEqual([expect.stringContaining("'AlertExceedsMax yes'")]);
});

test('a stopped clamd gives no verdict in time, and a restarted clamd does', async () => {
  const scanner = byPort();
  clamd.stop();
  try {
    const startedAt = performance.now();
    const asked = scanner.scan(inChunks(Buffer.alloc(30 * megabyte)), AbortSignal.timeout(1_500));
    await expect(asked).rejects.toBeInstanceOf(ScannerUnavailable);
    await expect(scanner.check(AbortSignal.timeout(500))).rejects.toBeInstanceOf(ScannerUnavailable);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  } finally {
    clamd.resume();
  }
  expect(await scanner.scan(inChunks(Buffer.from('hello')), soon())).toEqual({ kind: 'clean' });
  await clamd.end();
  await expect(scanner.scan(inChunks(Buffer.from('hello')), soon())).rejects.toBeInstanceOf(ScannerUnavailable);
  await clamd.start();
  expect(await scanner.scan(inChunks(Buffer.from('hello')), soon())).toEqual({ kind: 'clean' });
});

/** Queries clamd without our client. */
async function plainAnswer(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes.length);
  socket.write(Buffer.concat([Buffer.from('zINSTREAM\0'), size, bytes, Buffer.alloc(4)]));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString().replace('\0', '');
}

/** `a.txt` in the old zip encryption, made by Info-ZIP with the password 'secret'. */
const encryptedZip = () =>
  Buffer.from(
    'UEsDBBQACQAIAGqudV2AiPnlFgAAABEAAAAFABwAYS50eHRVVAkAA1gSAmtYEgJrdXgLAAEEAAAAAAQAAAAAzy/yXDDUpQsJRzAlG01TGye7Cbq/E1BLBwiAiPnlFgAAABEAAABQSwECHgMUAAkACABqrnVdgIj55RYAAAARAAAABQAYAAAAAAABAAAApIEAAAAAYS50eHRVVAUAA1gSAmt1eAsAAQQAAAAABAAAAABQSwUGAAAAAAEAAQBLAAAAZQAAAAAA',
    'base64',
  );

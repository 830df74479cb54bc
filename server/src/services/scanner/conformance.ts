import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Scanner, ScannerUnavailable } from './scanner.ts';

/** A running and correctly configured scanner, and a text that it reports as malware. */
export interface ScannerEngine extends AsyncDisposable {
  readonly scanner: Scanner;
  readonly marker: string;
}

/** Tests the promises of every scanner engine (see `Scanner`). */
export function scannerConformance(open: () => Promise<ScannerEngine>): void {
  const soon = () => AbortSignal.timeout(20_000);

  test.each([0, 1, 65_536, 3_000_000])('%i harmless bytes are clean', async (size) => {
    await using engine = await open();
    expect(await engine.scanner.scan(inChunks(harmless(size)), soon())).toEqual({ kind: 'clean' });
  });

  test.each([
    ['at the start', 0, 100],
    ['at the end of 5 MB', 5_000_000, 0],
    ['in the middle of 5 MB', 2_500_000, 2_500_000],
  ])('malware is found %s', async (_, before, after) => {
    await using engine = await open();
    const bytes = Buffer.concat([harmless(before), Buffer.from(engine.marker), harmless(after)]);
    expect(await engine.scanner.scan(inChunks(bytes), soon())).toMatchObject({
      kind: 'infected',
      signature: expect.stringMatching(/\w/),
    });
  });

  test('malware is found in an archive, and across the border of two chunks', async () => {
    await using engine = await open();
    const archive = gzipSync(`Dear all, ${engine.marker} yours`);
    expect((await engine.scanner.scan(inChunks(archive), soon())).kind).toBe('infected');
    expect((await engine.scanner.scan(inChunks(Buffer.from(engine.marker), 5), soon())).kind).toBe('infected');
  });

  test('a source may use the memory of a chunk again, and may yield empty chunks', async () => {
    await using engine = await open();
    const memory = Buffer.alloc(engine.marker.length);
    async function* source() {
      yield Buffer.alloc(0);
      yield memory.fill(engine.marker);
      memory.fill('x');
      yield Buffer.alloc(0);
      yield memory;
    }
    expect((await engine.scanner.scan(source(), soon())).kind).toBe('infected');
  });

  test('errors of the source propagate', async () => {
    await using engine = await open();
    const broken = new Error('the disk is gone');
    async function* source() {
      yield harmless(1000);
      throw broken;
    }
    await expect(engine.scanner.scan(source(), soon())).rejects.toBe(broken);
    expect(await engine.scanner.scan(inChunks(harmless(10)), soon())).toEqual({ kind: 'clean' });
  });

  test('a scan ends when its signal aborts, and one that has aborted is none', async () => {
    await using engine = await open();
    const ending = new AbortController();
    async function* source() {
      yield harmless(1000);
      ending.abort();
      yield harmless(1000);
    }
    await expect(engine.scanner.scan(source(), ending.signal)).rejects.toBeInstanceOf(ScannerUnavailable);
    await expect(engine.scanner.scan(source(), AbortSignal.abort())).rejects.toBeInstanceOf(ScannerUnavailable);
  });

  test('a check names the scanner, and finds nothing to change', async () => {
    await using engine = await open();
    expect(await engine.scanner.check(soon())).toEqual({ version: expect.stringMatching(/\w/), problems: [] });
  });
}

const harmless = (size: number) => Buffer.alloc(size, 'All is well. ');

export async function* inChunks(bytes: Buffer, size = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

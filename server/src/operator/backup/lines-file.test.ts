import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { cleanOriginalName } from '@holdfast/contract/src/original-name.ts';
import { checkLines, readLines, writeLines } from './lines-file.ts';

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-lines-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'rows.jsonl.gz');
}

async function* pagesOf(...pages: unknown[][]) {
  yield* pages;
}

async function readAll(path: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const page of readLines(path)) rows.push(...page);
  return rows;
}

/** Every character sequence that some program treats as a line end. */
const lineEnds = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];
const name = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...lineEnds, '"', '\\', '\ufeff', '\0', '🏴‍☠️'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
});

test('every name is read as it was written, cleaned or not', async () => {
  const rows = fc.array(fc.record({ original_name: name, size: fc.nat() }), { minLength: 1, maxLength: 500 });
  await fc.assert(
    fc.asyncProperty(rows, async (page) => {
      const path = await newPath();
      const cleaned = page.map((row) => ({ ...row, original_name: cleanOriginalName(row.original_name) }));
      const written = await writeLines(path, pagesOf(page, cleaned));
      await checkLines(path, written);
      expect(await readAll(path)).toEqual([...page, ...cleaned]);
      // A tool that splits lines at other characters reads the same rows.
      const text = gunzipSync(await readFile(path)).toString();
      expect(text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => !line.startsWith('{'))).toEqual(['']);
    }),
    { numRuns: 60 },
  );
});

test('a file of an earlier version with raw line separators can be read', async () => {
  const path = await newPath();
  const row = { original_name: 'notes\u2028part\u2029two.txt' };
  await writeFile(path, gzipSync(`${JSON.stringify(row)}\n`));
  expect(await readAll(path)).toEqual([row]);
});

test('a multi-byte character may span two chunks', async () => {
  const path = await newPath();
  const rows = Array.from({ length: 3000 }, (_, at) => ({ name: `${'x'.repeat(at % 7)}🏴‍☠️\u2028` }));
  await checkLines(path, await writeLines(path, pagesOf(rows)));
  expect(await readAll(path)).toEqual(rows);
});

test.each([
  ['cut off', async (path: string) => truncate(path, 20), /unexpected end of file/],
  ['a line short', async (path: string) => writeFile(path, gzipSync('{"a":1}\n')), /has 1 rows instead of 2/],
  ['without its last end', async (path: string) => writeFile(path, gzipSync('{"a":1}\n{"a":2}')), /in the middle of/],
  ['with a row that is no JSON', async (path: string) => writeFile(path, gzipSync('{"a":1}\n{"a"\n')), /JSON/],
  [
    'with another value',
    async (path: string) => writeFile(path, gzipSync('{"a":1}\n{"a":3}\n')),
    /differs from what was/,
  ],
])('a file that is %s is refused', async (_, damage, reason) => {
  const path = await newPath();
  const written = await writeLines(path, pagesOf([{ a: 1 }, { a: 2 }]));
  await damage(path);
  await expect(checkLines(path, written)).rejects.toThrow(reason);
});

/** docs/security.md names the result of each requirement of OWASP's ASVS, and the tests that prove it. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = await readFile(`${root}docs/security.md`, 'utf8');

interface Row {
  readonly requirements: readonly string[];
  readonly result: string;
  readonly by: string;
}

const rowsOf = (heading: string): readonly Row[] =>
  sectionOf(heading)
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const [name = '', result = '', ...by] = line.slice(2, -2).split(' | ');
      return { requirements: numbersIn(name), result, by: by.join(' | ') };
    });

const sectionOf = (heading: string) => page.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';

/** `10.4.1–10.4.5` stands for five. */
const numbersIn = (name: string): readonly string[] =>
  [...name.matchAll(/(\d+\.\d+\.)(\d+)(?:–\d+\.\d+\.(\d+))?/g)].flatMap(([, section = '', first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${section}${Number(first) + at}`),
  );

/** Version 5.0.0 has 70 requirements of level 1 and 183 of level 2, and two of level 1 are stricter at level 2. */
test.each([
  ['Level 1', 70],
  ['Level 2', 185],
])('%s lists each requirement once, with one of three results and a reason', (heading, total) => {
  const rows = rowsOf(heading);
  const numbers = rows.flatMap(({ requirements }) => requirements);
  expect(numbers).toHaveLength(total);
  expect(new Set(numbers).size).toBe(total);
  for (const { requirements, result, by } of rows) {
    expect(['met', 'planned', 'not applicable'], requirements.join()).toContain(result);
    if (result === 'met') expect(proofsOf(by), requirements.join()).not.toEqual([]);
    else expect(by, requirements.join()).toMatch(/\w/);
  }
});

test('at level 1 nothing is planned', () => {
  expect(rowsOf('Level 1').filter(({ result }) => result === 'planned')).toEqual([]);
});

const rows = [...rowsOf('Level 1'), ...rowsOf('Level 2')];

test('the page names tests that exist, and their titles', async () => {
  const lost: string[] = [];
  for (const { requirements, by } of rows) {
    const files = [...by.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => testFile(name) ?? []);
    const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')));
    for (const [, title = ''] of by.matchAll(/(?<=\(|", )"([^"]+)"(?=[,)])/g))
      if (!texts.some((text) => hasTitle(text, title))) lost.push(`${requirements.join()}: ${title}`);
  }
  expect(lost).toEqual([]);
});

test('every test that a row of the page names by its path exists', () => {
  const paths = rows.flatMap(({ by }) =>
    [...by.matchAll(/`([\w./-]+\.ts|(?:databases|processes|services|model)\/[\w-]+)`/g)].map(([, path = '']) => path),
  );
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => testFile(path) === null && !existsSync(root + path))).toEqual([]);
});

/** Paths of the tests and documents that a row names. */
const proofsOf = (by: string): readonly string[] => [
  ...[...by.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => testFile(name) ?? []),
  ...[...by.matchAll(/\]\(([^)#]*)[^)]*\)/g)]
    .map(([, path = '']) => `${root}docs/${path || 'security.md'}`)
    .filter((path) => existsSync(path)),
];

/** Names are shortened as the page says. Returns null for a word that is no test. */
function testFile(name: string): string | null {
  const paths = name.endsWith('.ts')
    ? [name, `server/src/${name}`]
    : [`server/test/behavior/${name}.test.ts`, `server/test/${name}.test.ts`];
  return paths.map((path) => root + path).find((path) => existsSync(path)) ?? null;
}

/** An ellipsis stands for a value that the title contains. */
function hasTitle(text: string, title: string): boolean {
  return text.split('\n').some((line) => {
    let from = 0;
    return title.split('…').every((part) => {
      const at = line.indexOf(part, from);
      from = at + part.length;
      return at !== -1;
    });
  });
}

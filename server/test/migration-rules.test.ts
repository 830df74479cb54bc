/** Programs of an earlier version serve on while a migration runs, so it only adds, or its name says who cannot go on. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../src/storage/db/migrations/', import.meta.url);
/** Earlier ones were released before this rule. */
const firstWithRule = '0029';

/** What a program that does not know of it may not survive. */
const removing: readonly RegExp[] = [
  /\bDROP\b/i,
  /\bRENAME\b/i,
  /\bALTER COLUMN\b/i,
  /\bADD CONSTRAINT\b/i,
  /\bADD COLUMN\b(?![^;]*\bDEFAULT\b)[^;]*\bNOT NULL\b/i,
  /\bCREATE UNIQUE INDEX\b/i,
];

const withoutComments = (script: string) => script.replaceAll(/--.*$/gm, '');
const isRemoving = (script: string) => removing.some((pattern) => pattern.test(withoutComments(script)));

test.each([
  ['ALTER TABLE files DROP COLUMN hits;', true],
  ['ALTER TABLE letters RENAME TO emails;', true],
  ['ALTER TABLE files ADD COLUMN tag text NOT NULL;', true],
  ['CREATE UNIQUE INDEX one_each ON files (name);', true],
  ["ALTER TABLE files ADD COLUMN tag text NOT NULL DEFAULT '';", false],
  ['-- DROP nothing\nCREATE TABLE tags (name text NOT NULL);\nCREATE INDEX tags_by_name ON tags (name);', false],
])('%s', (script, expected) => {
  expect(isRemoving(script)).toBe(expected);
});

test('a migration that removes something names the migration that a program must have', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && name >= firstWithRule);
  expect(names.length).toBeGreaterThan(0);
  const numbers = readdirSync(folder).map((name) => name.slice(0, 4));
  for (const name of names) {
    const [, needed] = /\.needs-(\d{4})\.sql$/.exec(name) ?? [];
    const script = readFileSync(new URL(name, folder), 'utf8');
    expect({ name, isNamed: needed !== undefined }).toEqual({ name, isNamed: isRemoving(script) });
    if (needed !== undefined) expect(numbers.filter((number) => number < name.slice(0, 4))).toContain(needed);
  }
});

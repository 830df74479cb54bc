import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandsOf, plans } from '../../labs/machines/documented-commands.ts';

test('every plan names blocks that exist, and each block by one beginning', () => {
  for (const [page, { beforeBlock = {}, serving = [], notRun = {} }] of Object.entries(plans))
    for (const begins of [...Object.keys(beforeBlock), ...serving, ...Object.keys(notRun)])
      expect(
        commandsOf(page).some(({ text }) => text.startsWith(begins)),
        `${page}: ${begins}`,
      ).toBe(true);
});

test('a page with commands that no test runs says so', () => {
  const pages = Object.entries(plans).filter(([, { notRun = {} }]) =>
    Object.values(notRun).some((reason) => !reason.includes('.test.ts')),
  );
  expect(pages.length).toBeGreaterThan(0);
  for (const [page] of pages)
    expect(readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8'), page).toContain('The tests do not run ');
});

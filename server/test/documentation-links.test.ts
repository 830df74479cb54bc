/** Links between the pages of this repository lead to files and headings that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

const pagesIn = (folder: string, recursive = false): string[] =>
  readdirSync(join(root, folder), { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const pages = [...pagesIn('.'), ...pagesIn('docs', true), 'labs/bench/README.md'];

/** The text of a page without its blocks of code, in which `#` begins comments. */
const prose = (page: string): string => readFileSync(join(root, page), 'utf8').replaceAll(/^( *)```.*?^\1```$/gms, '');

/** The anchors of a page's headings, as GitHub makes them; a repeated heading has a number. */
function anchorsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
  return new Set(anchors);
}

function brokenLinksOf(page: string): string[] {
  const links = [...prose(page).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
  return links
    .filter(([, path = '', anchor]) => {
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target).has(anchor);
    })
    .map(([link]) => `${page}: ${link}`);
}

test('every link leads to a file and a heading that exist', () => {
  expect(pages).toContain(join('docs', 'installation.md'));
  expect(pages.flatMap(brokenLinksOf)).toEqual([]);
});

test('the settings, the sources of the server and the pages name only pages of docs that exist', () => {
  const sources = readdirSync(join(root, 'server/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('server/src', name));
  const named = [...pages, ...sources, '.env.example'].flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\bdocs\/[\w/.-]+\.md\b/g)].map(([name]) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ name }) => !existsSync(join(root, name)))).toEqual([]);
});

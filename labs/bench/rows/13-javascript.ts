import { join } from 'node:path';
import { lazyPieces } from '../browser/lazy-pieces.ts';
import { requestedScripts, type Script } from '../browser/requested-scripts.ts';
import { openBuiltBrowser, openPage } from '../browser/site-page.ts';
import { openAccount } from '../harness/account.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import type { Line, Row } from '../harness/row.ts';

const KB = 1000;

export const javascript: Row = {
  number: 13,
  title: 'JavaScript sent for / and for /dashboard',
  async run({ folder }) {
    await using browser = await openBuiltBrowser();
    await using server = await startHoldfast(join(folder, 'data'));
    const account = await openAccount(server, 'free');
    const home = await requestedScripts(await openPage(browser, server), '/');
    const dashboard = await requestedScripts(await openPage(browser, server, account), '/dashboard');
    return [
      ...linesOf('/ signed out', home, { atMost: 120 }),
      ...linesOf('/dashboard signed in', dashboard, { atMost: 200 }),
      await largestPiece(),
    ];
  },
};

/** The goal applies to the bytes sent; the gzip size shows whether the code or its transfer is too large. */
function linesOf(page: string, scripts: readonly Script[], goal: Line['goal']): Line[] {
  const largest = scripts.toSorted((a, b) => b.gzip - a.gzip)[0];
  const line = (what: string, values: readonly number[]): Line => ({
    what: `JavaScript for ${page}, ${what}`,
    moved: `${scripts.length} scripts`,
    ours: `${inKB(sum(values))} KB`,
    against: '–',
    value: sum(values) / KB,
    unit: 'KB',
    spread: `largest ${largest?.path.split('/').at(-1)}`,
    goal,
    checked: 'everything that the browser asked for with an empty cache, until it came to rest',
    samples: Object.fromEntries(scripts.map(({ path }, at) => [path, [values[at] ?? Number.NaN]])),
  });
  return [
    line(
      'at gzip -9',
      scripts.map(({ gzip }) => gzip),
    ),
    line(
      'as it was sent',
      scripts.map(({ sent }) => sent),
    ),
  ];
}

async function largestPiece(): Promise<Line> {
  const pieces = await lazyPieces();
  const largest = pieces[0]?.gzip ?? Number.NaN;
  return {
    what: 'the largest lazy piece, at gzip -9',
    moved: `${pieces.length} pieces`,
    ours: `${inKB(largest)} KB`,
    against: '–',
    value: largest / KB,
    unit: 'KB',
    spread: pieces
      .slice(0, 3)
      .map(({ name, gzip }) => `${name} ${inKB(gzip)}`)
      .join(', '),
    goal: { atMost: 40 },
    checked: 'every script of the build that the page itself does not name',
    samples: Object.fromEntries(pieces.map(({ name, gzip }) => [name, [gzip]])),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const inKB = (bytes: number): string => (bytes / KB).toFixed(1);

/** Pages of the private port that concern all workers of a parent. The worker that gets the request asks the others. */
import type { Measures, Page, Parent } from '../engines/parent/parent.ts';
import { plain } from '../http/private-port.ts';

type Asked = Pick<Parent, 'call'>;

/** 200 if every worker responds. */
export async function livezOfAll(parent: Asked): Promise<Page> {
  const { workers } = await parent.call('reports', { of: 'livez' });
  const silent = workers.filter(({ report }) => !report).map(({ number }) => `worker ${number} does not respond\n`);
  return { status: silent.length === 0 ? 200 : 503, type: plain, body: silent.join('') || 'ok\n' };
}

/** 200 if every worker is ready. The body is that of each of them, or has the lines of all. */
export async function readyzOfAll(parent: Asked): Promise<Page> {
  const { workers } = await parent.call('reports', { of: 'readyz' });
  const pages = workers.map(({ number, report }) => ({ number, page: (report as Page | null) ?? notRunning }));
  const [first, ...others] = pages;
  if (first && others.every(({ page }) => page.body === first.page.body)) return first.page;
  const lines = pages.flatMap(({ number, page }) => linesOf(page).map((line) => `worker ${number}: ${line}`));
  const isReady = pages.every(({ page }) => page.status === 200);
  return { status: isReady ? 200 : 503, type: plain, body: `${['degraded', ...lines].join('\n')}\n` };
}

const notRunning: Page = { status: 503, type: plain, body: 'it does not run, or does not respond\n' };

const linesOf = ({ body }: Page) => body.trim().split('\n');

/** The sums of all workers, and the metrics of each process. */
export async function measuresOfAll(parent: Asked): Promise<Measures> {
  const { workers, tally } = await parent.call('reports', { of: 'metrics' });
  const found = workers.flatMap(({ report }) => (report ? [report as Measures] : []));
  return {
    tally,
    // Each worker compares the same prices, and may not have read them yet.
    wrongPrices: Math.max(0, ...found.map(({ wrongPrices }) => wrongPrices)),
    process: mergeMetrics(found.map((measures) => measures.process)),
  };
}

/** Merges metrics of several processes, so that each metric has its type once, before the values of all of them. */
function mergeMetrics(texts: readonly string[]): string {
  const metrics = new Map<string, { readonly about: string[]; readonly values: string[] }>();
  for (const text of texts) {
    let current = { about: [] as string[], values: [] as string[] };
    for (const line of text.split('\n')) {
      const [, name] = /^# HELP (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        current = { about: metrics.get(name)?.about ?? [], values: metrics.get(name)?.values ?? [] };
        metrics.set(name, current);
      }
      if (line.startsWith('#')) current.about.push(line);
      else if (line !== '') current.values.push(line);
    }
  }
  return [...metrics.values()].map(({ about, values }) => [...new Set(about), ...values, ''].join('\n')).join('\n');
}

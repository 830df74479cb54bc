import { expect, test } from 'vitest';
import type { AllReports, Parent } from '../engines/parent/parent.ts';
import { plain } from '../http/private-port.ts';
import { livezOfAll, measuresOfAll, readyzOfAll } from './worker-reports.ts';

const tally = { uploads: 3, uploadedBytes: 30, downloads: 0, refusedConnections: 1 };

/** The parent of workers that gave these reports. */
function parentOf(...reports: readonly unknown[]): Pick<Parent, 'call'> {
  const all: AllReports = { workers: reports.map((report, at) => ({ number: at + 1, report })), tally };
  return { call: (async () => all) as unknown as Parent['call'] };
}

const page = (status: number, body: string) => ({ status, type: plain, body });
const ready = page(200, 'ok\ndatabase: ok\n');

test('the workers are alive if each of them responds', async () => {
  expect(await livezOfAll(parentOf(page(200, 'ok\n'), page(200, 'ok\n')))).toMatchObject(page(200, 'ok\n'));
  expect(await livezOfAll(parentOf(page(200, 'ok\n'), null))).toMatchObject({
    status: 503,
    body: 'worker 2 does not respond\n',
  });
});

test('the workers are ready if each of them is', async () => {
  expect(await readyzOfAll(parentOf(ready, ready))).toEqual(ready);
});

test.each([
  [page(503, 'degraded\ndatabase: away\n'), ['worker 2: degraded', 'worker 2: database: away']],
  [null, ['worker 2: it does not run, or does not respond']],
])('the workers are not ready if one of them is not: %j', async (second, lines) => {
  const all = await readyzOfAll(parentOf(ready, second));
  expect(all.status).toBe(503);
  expect(all.body).toBe(`${['degraded', 'worker 1: ok', 'worker 1: database: ok', ...lines].join('\n')}\n`);
});

test('the measures of all workers are the sums of the parent, and the metrics of each process', async () => {
  const measures = (worker: number, wrongPrices: number) => ({
    tally,
    wrongPrices,
    process: `# HELP cpu Time.\n# TYPE cpu counter\ncpu{worker="${worker}"} ${worker}\n`,
  });
  expect(await measuresOfAll(parentOf(measures(1, 0), null, measures(3, 2)))).toEqual({
    tally,
    wrongPrices: 2,
    process: '# HELP cpu Time.\n# TYPE cpu counter\ncpu{worker="1"} 1\ncpu{worker="3"} 3\n',
  });
});

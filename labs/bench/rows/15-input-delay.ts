import { join } from 'node:path';
import type { Browser } from '@holdfast/test-support/open-browser.ts';
import { openHand } from '../browser/hand.ts';
import { idleActions } from '../browser/idle-actions.ts';
import { measureInputs } from '../browser/measure-inputs.ts';
import { filesInAccount, openTable } from '../browser/open-table.ts';
import { openQueue, writeQueueFiles } from '../browser/open-queue.ts';
import { queueActions } from '../browser/queue-actions.ts';
import { seedFiles } from '../browser/seed-files.ts';
import { openBuiltBrowser, openPage } from '../browser/site-page.ts';
import { tableActions } from '../browser/table-actions.ts';
import { watchInputs } from '../browser/watch-inputs.ts';
import { type Account, openAccount } from '../harness/account.ts';
import { type Holdfast, startHoldfast } from '../harness/holdfast.ts';
import type { Line, Row } from '../harness/row.ts';

export const inputDelay: Row = {
  number: 15,
  title: '500 rows in the table, 1,000 files in the queue: input delay',
  async run({ quick, folder }) {
    await using browser = await openBuiltBrowser();
    await using server = await startHoldfast(join(folder, 'data'));
    const account = await openAccount(server, 'power');
    await seedFiles(server, account, filesInAccount);
    const paths = await writeQueueFiles(join(folder, 'queue'));
    return [
      ...(await measureTable(browser, server, account, { quick, paths })),
      ...(await measureQueue(browser, server, account, { quick, paths })),
    ];
  },
};

interface Means {
  readonly quick: boolean;
  /** Paths of the files that are selected for the queue. */
  readonly paths: readonly string[];
}

async function measureTable(
  browser: Browser,
  server: Holdfast,
  account: Account,
  { quick, paths }: Means,
): Promise<Line[]> {
  const page = await openPage(browser, server, account);
  await page.addInitScript(watchInputs);
  const hand = await openHand(page);
  const lines: Line[] = [];
  await page.goto('about:blank');
  for (const action of idleActions(page, hand, paths)) lines.push(await measureInputs(page, hand, action));
  const table = await openTable(page);
  for (const action of tableActions(table, hand, quick)) lines.push(await measureInputs(page, hand, action));
  await page.context().close();
  return lines;
}

async function measureQueue(
  browser: Browser,
  server: Holdfast,
  account: Account,
  { quick, paths }: Means,
): Promise<Line[]> {
  const page = await openPage(browser, server, account);
  await page.addInitScript(watchInputs);
  const queue = await openQueue(page, paths);
  const hand = await openHand(page);
  const lines: Line[] = [];
  for (const action of queueActions(queue, hand, quick)) lines.push(await measureInputs(page, hand, action));
  await page.context().close();
  return lines;
}

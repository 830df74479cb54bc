/** The test function for tests in which no uploaded file may run. */
import type { BrowserContext, Page } from '@playwright/test';
import { type HostileFile, hostileFiles } from '../fixtures/hostile-files.ts';
import { type Host, type Layout, test as base } from './delivery.ts';
import type { OtherSite } from './other-site.ts';

export interface Uploaded extends HostileFile {
  readonly link: string;
}

/** `ran` contains effects that only a running script can have. It must stay empty. */
export const test = base.extend<{
  ran: readonly string[];
  uploads: (layout: Layout) => Promise<readonly Uploaded[]>;
}>({
  uploads: async ({ keeper, hosts, other }, use) =>
    use((layout) => keeper.run(`hostile files at ${layout}`, async () => uploadAll(await hosts(layout), other))),
  // An automatic fixture listens from the start of each test. Without it, listening would begin in `afterEach`.
  ran: [async ({ context }, use) => use(listen(context)), { auto: true }],
});

async function uploadAll(host: Host, other: OtherSite): Promise<readonly Uploaded[]> {
  const uploaded: Uploaded[] = [];
  for (const file of hostileFiles(`${other.url}/told`))
    uploaded.push({ ...file, link: await host.upload(file.name, file.bytes) });
  return uploaded;
}

function listen(context: BrowserContext): readonly string[] {
  const ran: string[] = [];
  context.on('console', (message) => {
    if (message.text().startsWith('ran: ')) ran.push(message.text());
  });
  context.on('dialog', async (dialog) => {
    ran.push(dialog.message());
    await dialog.dismiss();
  });
  return ran;
}

/** Scripts report while their document loads. When this resolves, all earlier reports of every frame have arrived. */
export const hearEveryFrame = (page: Page): Promise<unknown> =>
  Promise.all(page.frames().map((frame) => frame.evaluate('1').catch(() => {})));

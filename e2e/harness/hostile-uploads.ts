/** The test function of the tests in which nothing may run. */
import type { BrowserContext, Page } from '@playwright/test';
import { type HostileFile, hostileFiles } from '../fixtures/hostile-files.ts';
import { type Host, type Layout, test as base } from './delivery.ts';
import type { OtherSite } from './other-site.ts';

export interface Uploaded extends HostileFile {
  readonly link: string;
}

/** `ran` is what scripts did that only a script can do: it must stay empty. */
export const test = base.extend<
  { ran: readonly string[] },
  { uploads: (layout: Layout) => Promise<readonly Uploaded[]> }
>({
  uploads: [
    async ({ hosts, other }, use) => {
      const done = new Map<Layout, Promise<readonly Uploaded[]>>();
      await use((layout) => {
        const known = done.get(layout) ?? hosts(layout).then((host) => uploadAll(host, other));
        done.set(layout, known);
        return known;
      });
    },
    { scope: 'worker' },
  ],
  ran: async ({ context }, use) => use(listen(context)),
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

/** A script speaks as its document loads; what every frame said before this answer has been heard after it. */
export const hearEveryFrame = (page: Page): Promise<unknown> =>
  Promise.all(page.frames().map((frame) => frame.evaluate('1').catch(() => {})));

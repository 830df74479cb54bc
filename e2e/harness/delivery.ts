/** The test function for delivered files: both host layouts, and a site that is not ours. */
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { type OtherSite, openOtherSite } from './other-site.ts';
import { type Site, startSite } from './site.ts';
import { type SignedOnce, signUpOnce, test as base, uploadByKey } from './test.ts';

export { expect } from '@playwright/test';

export const layouts = ["the app's origin", 'an origin for files only'] as const;
export type Layout = (typeof layouts)[number];

export interface Host extends SignedOnce {
  readonly site: Site;
  /** Uploads as an account whose plan accepts every extension, and returns the link. */
  upload(name: string, bytes: string | Uint8Array<ArrayBuffer>): Promise<string>;
}

export interface Stage {
  readonly hosts: (layout: Layout) => Promise<Host>;
  readonly other: OtherSite;
}

export const test = base.extend<Stage>({
  // A custom header would cause a CORS preflight before a video of another site may be read.
  extraHTTPHeaders: {},
  hosts: async ({ keeper, site, browser }, use) => {
    const open: Record<Layout, () => Promise<Host>> = {
      "the app's origin": () => keeper.keep('a host', async () => hostOn(site, await signUpOnce(site, browser))),
      'an origin for files only': () =>
        keeper.run('a host of files', async (own) => {
          const separate = own.use(await startWithFileOrigin());
          return hostOn(separate, await signUpOnce(separate, browser));
        }),
    };
    await use((layout) => open[layout]());
  },
  other: async ({ keeper }, use) =>
    use(await keeper.run('another site', async (own) => own.use(await openOtherSite()))),
});

async function startWithFileOrigin(): Promise<Site> {
  const port = await freePort();
  return startSite({
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    FILE_ORIGINS: `http://127.0.0.1:${port}`,
  });
}

function hostOn(site: Site, signed: SignedOnce): Host {
  // This plan accepts every extension, and is slow enough that no player has the end of a file before it requests it.
  site.putOnPlan(signed.person.email, 'starter');
  return { ...signed, site, upload: (name, bytes) => uploadByKey(site, signed.person, name, bytes) };
}

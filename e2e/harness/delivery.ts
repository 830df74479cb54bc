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

export const test = base.extend<object, Stage>({
  // A custom header would cause a CORS preflight before a video of another site may be read.
  extraHTTPHeaders: {},
  hosts: [
    async ({ site, browser }, use) => {
      await using started = new AsyncDisposableStack();
      const separate = async () => started.use(await startWithFileOrigin());
      const open: Record<Layout, () => Promise<Host>> = {
        "the app's origin": once(async () => hostOn(site, await signUpOnce(site, browser))),
        'an origin for files only': once(async () => {
          const own = await separate();
          return hostOn(own, await signUpOnce(own, browser));
        }),
      };
      await use((layout) => open[layout]());
    },
    { scope: 'worker' },
  ],
  other: [
    // oxlint-disable-next-line no-empty-pattern -- the framework reads the names of this parameter
    async ({}, use) => {
      await using other = await openOtherSite();
      await use(other);
    },
    { scope: 'worker' },
  ],
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

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** The test function for pages loaded through a relay and for files on the disk. */
import { openDiskFolder, type DiskFolder } from './disk-folder.ts';
import { openRelay, type Relay } from './relay.ts';
import { test as base } from './test.ts';

export { expect } from '@playwright/test';

export const uploadPath = '/api/v3/upload';

export const test = base.extend<{ relay: Relay; disk: DiskFolder }>({
  relay: async ({ site }, use) => {
    await using relay = await openRelay(site);
    await use(relay);
  },
  // oxlint-disable-next-line no-empty-pattern -- the framework reads the names of this parameter
  disk: async ({}, use) => {
    await using folder = await openDiskFolder();
    await use(folder);
  },
  baseURL: ({ relay }, use) => use(relay.url),
});

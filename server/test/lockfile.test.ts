/** `npm ci` compares what it downloads with the digests in the lock file, and installs what has none unverified. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly integrity?: string;
  readonly link?: boolean;
}

const lock = JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
const withoutDigest = installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));

test('every package has a SHA-512 in the lock file, also those for other platforms', () => {
  expect(installed.length).toBeGreaterThan(500);
  expect(withoutDigest.map(([path]) => path)).toEqual([]);
});

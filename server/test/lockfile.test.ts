/** `npm ci` compares what it downloads with the digests in the lock file, and installs what has none unverified. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const lock = JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
const withoutDigest = installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));

/** A server runs on Linux with glibc, on either processor. */
const fitsServer = ({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: LockedPackage) =>
  os.includes('linux') && (cpu.includes('x64') || cpu.includes('arm64')) && libc.includes('glibc');

test('every package that a Linux server installs has a SHA-512 in the lock file', () => {
  expect(installed.length).toBeGreaterThan(500);
  expect(withoutDigest.filter(([, each]) => !each.optional || fitsServer(each)).map(([path]) => path)).toEqual([]);
});

test('no further package lacks a digest', () => {
  // Native parts of build tools for other platforms, which the registry used here does not offer.
  expect(withoutDigest.length).toBeLessThanOrEqual(60);
});

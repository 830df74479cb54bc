/** `npm ci` compares what it downloads with the digests in the lock file, and installs what has none unverified. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { days } from '../src/lib/clock.ts';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

const lock = JSON.parse(await read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
const withoutDigest = installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));

test('every package has a SHA-512 in the lock file, also those for other platforms', () => {
  expect(installed.length).toBeGreaterThan(500);
  expect(withoutDigest.map(([path]) => path)).toEqual([]);
});

test('each package.json names one version of each package, which is the locked one', async () => {
  const workspaces = Object.keys(lock.packages).filter((path) => !path.includes('node_modules/'));
  expect(workspaces).toContain('server');
  for (const workspace of workspaces) {
    const file = JSON.parse(await read(`${workspace}/package.json`)) as Record<string, Record<string, string>>;
    const wanted = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.entries(file[kind] ?? {}).filter(([name]) => !name.startsWith('@holdfast/')),
    );
    for (const [name, version] of wanted) {
      const locked = lock.packages[`${workspace}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`];
      expect(locked?.version, `${name} in ${workspace}/package.json`).toBe(version);
    }
  }
});

/** Null outside a repository, such as in an archive of the source, and without git. */
function dateOfNewestCommit(): number | null {
  const cwd = new URL('../../', import.meta.url);
  if (!existsSync(new URL('.git', cwd))) return null;
  try {
    // The folder may belong to another user than the one who runs the tests.
    const args = ['-c', 'safe.directory=*', 'log', '-1', '--format=%cI'];
    return Date.parse(execFileSync('git', args, { cwd, encoding: 'utf8' }).trim());
  } catch {
    return null;
  }
}

const newest = dateOfNewestCommit();

test.skipIf(newest === null)(
  'the last update of all packages is at most three months older than the newest commit',
  async () => {
    const [, date = ''] =
      /updated at least every three months, last on\s(\S+)\./.exec(await read('docs/security.md')) ?? [];
    expect((newest ?? 0) - Date.parse(date)).toBeLessThan(days(92));
  },
);

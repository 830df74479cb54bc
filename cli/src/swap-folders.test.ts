import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { swapFolders } from './swap-folders.ts';

test.each(['in one step', 'without perl'])(
  'the next folder takes the place, and the earlier one stays beside it, %s',
  async (how) => {
    if (how === 'without perl') vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    const root = await mkdtemp(join(tmpdir(), 'holdfast-swap-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const [current, next, previous] = ['a', 'a.new', 'a.old'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [current, next, previous]) {
      await mkdir(path);
      await writeFile(join(path, `was ${path.slice(root.length + 1)}`), '');
    }
    await swapFolders(current, next, previous);
    expect(await readdir(root, { recursive: true })).toEqual(
      expect.arrayContaining(['a', 'a/was a.new', 'a.old', 'a.old/was a']),
    );
    expect(await readdir(root)).toHaveLength(2);
  },
);

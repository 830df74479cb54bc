import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UnusableSetting } from './setting-errors.ts';
import { readSettingsFile } from './settings-file.ts';

async function writeSettings(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-settings-'));
  const path = join(folder, 'settings');
  await writeFile(path, text, { mode: 0o640 });
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test('a settings file is read as variables', async () => {
  await using file = await writeSettings('# a comment\nPORT=8080\nSITE_NAME="Kelp forest"\n');
  expect(readSettingsFile(file.path)).toEqual({ PORT: '8080', SITE_NAME: 'Kelp forest' });
});

test('a named settings file that is missing is refused with one sentence', async () => {
  const path = join(tmpdir(), 'no-such-settings');
  expect(() => readSettingsFile(path)).toThrow(UnusableSetting);
  expect(() => readSettingsFile(path)).toThrow(/^\S+ cannot be used: ENOENT.*\.$/);
});

test('a settings file that every user may write is refused', async () => {
  await using file = await writeSettings('PORT=8080');
  await chmod(file.path, 0o646);
  expect(() => readSettingsFile(file.path)).toThrow(
    `${file.path} cannot be used: every user of this machine may write it.`,
  );
});

test.runIf(process.getuid?.() === 0)('a settings file that another group may write is refused', async () => {
  await using file = await writeSettings('PORT=8080');
  await chmod(file.path, 0o660);
  expect(readSettingsFile(file.path)).toEqual({ PORT: '8080' });
  await chown(file.path, 0, 65_534);
  expect(() => readSettingsFile(file.path)).toThrow(`${file.path} cannot be used: group 65534 may write it.`);
  await chmod(file.path, 0o640);
  expect(readSettingsFile(file.path)).toEqual({ PORT: '8080' });
});

// Only root can give a file to another user.
test.runIf(process.getuid?.() === 0)('a settings file of another user is refused', async () => {
  await using file = await writeSettings('PORT=8080');
  await chown(file.path, 65_534, 65_534);
  expect(() => readSettingsFile(file.path)).toThrow(
    `${file.path} cannot be used: it belongs to user 65534, but must belong to root or to user 0.`,
  );
});

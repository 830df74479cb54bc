import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { requireNewer, verifyArchive } from './release-archive.ts';

test.each([
  ['1.0.1', '1.0.0'],
  ['1.10.0', '1.9.9'],
])('%s is newer than %s', (version, own) => {
  requireNewer(version, own);
});

test.each([
  ['1.0.0', '1.0.0', 'The archive has version 1.0.0, and 1.0.0 is installed'],
  ['1.9.9', '1.10.0', 'The archive has version 1.9.9'],
  ['2.0.0', '1.10.0', '2.0.0 is a new major version'],
  ['1.1.0-rc.1', '1.0.0', "'1.1.0-rc.1' is not the version of a release"],
  ['', '1.0.0', "'' is not the version of a release"],
])('%j is refused after %s', (version, own, sentence) => {
  expect(() => requireNewer(version, own)).toThrow(sentence);
});

const folder = mkdtempSync(join(tmpdir(), 'holdfast-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('an archive is verified by SHA256SUMS beside it, or by a digest', async () => {
  const archive = join(folder, 'holdfast-1.1.0-linux-x64.tar.gz');
  const writeSums = (text: string) => writeFileSync(join(folder, 'SHA256SUMS'), text);
  writeFileSync(archive, 'an archive');
  const digest = createHash('sha256').update('an archive').digest('hex');
  await expect(verifyArchive(archive)).rejects.toThrow(/^There is no .+SHA256SUMS that names the archive/);
  await verifyArchive(archive, digest.toUpperCase());
  writeSums(`${'0'.repeat(64)}  other.tar.gz\n${digest}  holdfast-1.1.0-linux-x64.tar.gz\n`);
  await verifyArchive(archive);
  await expect(verifyArchive(archive, '0'.repeat(64))).rejects.toThrow(`its SHA-256 is ${digest} instead of 000`);
  writeSums(`${'0'.repeat(64)} *holdfast-1.1.0-linux-x64.tar.gz\n`);
  await expect(verifyArchive(archive)).rejects.toThrow('is damaged, or another file');
  writeSums(`${digest}  other.tar.gz\n`);
  await expect(verifyArchive(archive)).rejects.toThrow('There is no');
});

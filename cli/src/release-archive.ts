import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { digestOfFile } from '@holdfast/server/src/operator/backup/manifest.ts';
import { Refused } from './explain.ts';

/** @throws {Refused} unless its SHA-256 is `given`, or the one in SHA256SUMS beside it. */
export async function verifyArchive(path: string, given?: string): Promise<void> {
  const wanted = given ?? (await readDigest(path));
  const found = await digestOfFile(path);
  if (found !== wanted.toLowerCase())
    throw new Refused(`${path} is damaged, or another file: its SHA-256 is ${found} instead of ${wanted}.`);
}

async function readDigest(path: string): Promise<string> {
  const sums = join(dirname(path), 'SHA256SUMS');
  const lines = (await readFile(sums, 'utf8').catch(() => '')).split('\n');
  const [digest] = lines.map((line) => line.split(/ [ *]/)).find(([, name]) => name === basename(path)) ?? [];
  if (digest) return digest;
  throw new Refused(`There is no ${sums} that names the archive. Copy that of the release there, or use --sha256.`);
}

/** @throws {Refused} unless `version` can follow `own` without a step by hand. */
export function requireNewer(version: string, own: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Refused(`'${version}' is not the version of a release.`);
  if (version.localeCompare(own, 'en', { numeric: true }) <= 0)
    throw new Refused(
      `The archive has version ${version}, and ${own} is installed: docs/upgrading.md says how to go back.`,
    );
  if (Number.parseInt(version, 10) !== Number.parseInt(own, 10))
    throw new Refused(`${version} is a new major version, which needs a step by hand: see its docs/upgrading.md.`);
}

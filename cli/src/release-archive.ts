import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { seconds } from '@holdfast/server/src/lib/clock.ts';
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

const isNewer = (version: string, own: string) => version.localeCompare(own, 'en', { numeric: true }) > 0;

const longest = 100_000;

/**
 * Returns the newest version that a SHA256SUMS names, and whether it is newer than `own`. Nothing but a GET is sent.
 * @throws {Refused} when the address does not respond within ten seconds, or names no release.
 */
export async function newestVersion(url: string, own: string) {
  const text = await readText(url).catch((error: unknown) => {
    const { cause, message } = error as Error;
    throw new Refused(`${url} could not be read: ${cause instanceof Error ? cause.message || message : message}.`);
  });
  const versions = [...text.matchAll(/^[0-9a-f]{64} [ *]holdfast-(\d+\.\d+\.\d+)-linux-\w+\.tar\.gz$/gm)];
  const [newest] = versions.map(([, version = '']) => version).toSorted((a, b) => (isNewer(a, b) ? -1 : 1));
  if (newest === undefined) throw new Refused(`${url} is not the SHA256SUMS of a release.`);
  return { newest, isNewer: isNewer(newest, own) };
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(seconds(10)) });
  if (!response.ok || !response.body) throw new Error(`it returned ${response.status}`);
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    // Another file, or one without an end.
    if (text.length > longest) break;
  }
  return text;
}

/** @throws {Refused} unless `version` can follow `own` without a step by hand. */
export function requireNewer(version: string, own: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Refused(`'${version}' is not the version of a release.`);
  if (!isNewer(version, own))
    throw new Refused(
      `The archive has version ${version}, and ${own} is installed: docs/upgrading.md says how to go back.`,
    );
  if (Number.parseInt(version, 10) !== Number.parseInt(own, 10))
    throw new Refused(`${version} is a new major version, which needs a step by hand: see its docs/upgrading.md.`);
}

/** The keys of all sites, in one file that only its owner reads. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { createHoldfast, type Holdfast, type HoldfastOptions } from '@holdfast/client/src/client.ts';
import { Problem } from './exit-code.ts';
import { clearLine } from './progress.ts';

interface Sites {
  /** The newest one, which commands use unless they name another. */
  readonly current: string;
  readonly keys: Readonly<Record<string, string>>;
}

export interface Site {
  readonly url: string;
  readonly apiKey: string;
}

const path = () => join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'holdfast-cli', 'sites.json');

function readSites(): Sites | null {
  try {
    return JSON.parse(readFileSync(path(), 'utf8')) as Sites;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Problem('notSignedIn', `${path()} cannot be read: ${(error as Error).message}`);
  }
}

/** `HOLDFAST_URL` and `HOLDFAST_KEY` are for jobs that have no home. */
export function siteOf(named?: string): Site {
  const { HOLDFAST_URL: ownUrl, HOLDFAST_KEY: ownKey } = process.env;
  const sites = readSites();
  const wanted = named ?? ownUrl ?? sites?.current;
  if (wanted === undefined) throw new Problem('notSignedIn', 'Sign in first: holdfast-cli login URL');
  const url = originOf(wanted);
  // A key alone is perhaps that of another site.
  const apiKey = (named === undefined && ownUrl !== undefined ? ownKey : undefined) ?? sites?.keys[url];
  if (apiKey === undefined) throw new Problem('notSignedIn', `Sign in first: holdfast-cli login ${url}`);
  return { url, apiKey };
}

export const open = (site: Site, options: Pick<HoldfastOptions, 'retries' | 'longestWait'> = {}): Holdfast =>
  createHoldfast({
    ...site,
    retries: 20,
    longestWait: 3600,
    onRetry: ({ message }, seconds) =>
      process.stderr.write(`${process.stderr.isTTY ? clearLine : ''}${message} Next try in ${Math.ceil(seconds)} s.\n`),
    ...options,
  });

export async function login(address: string): Promise<void> {
  const url = originOf(address);
  const apiKey = (process.stdin.isTTY ? await askKey(url) : await text(process.stdin)).trim();
  const { account } = await open({ url, apiKey }, { retries: 1 }).getAccountInfo();
  writeSites({ current: url, keys: { ...readSites()?.keys, [url]: apiKey } });
  process.stderr.write(`Signed in to ${url} as ${account.info.email}.\n`);
}

function originOf(address: string): string {
  const full = /^https?:\/\//.test(address) ? address : `https://${address}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (!url) throw new Problem('usage', `${address} is not the address of a site.`);
  return url.origin;
}

/** Without showing it. */
async function askKey(url: string): Promise<string> {
  process.stderr.write(`API key, from ${url}/dashboard/account-info: `);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  lines.on('SIGINT', () => process.exit(130));
  const answer = await lines.question('');
  lines.close();
  process.stderr.write('\n');
  return answer;
}

function writeSites(sites: Sites): void {
  mkdirSync(dirname(path()), { recursive: true, mode: 0o700 });
  const temporary = `${path()}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(sites, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path());
}

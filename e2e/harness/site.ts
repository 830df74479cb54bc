import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setInterval } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Site extends AsyncDisposable {
  readonly url: string;
  /** The code in the newest letter to an address. */
  newestCodeFor(address: string): Promise<string>;
  /** Path and query of the link in the newest letter for a new password. */
  newestResetLinkFor(address: string): Promise<string>;
  /** As if the codes that are waiting had been sent that much earlier. */
  ageCodes(seconds: number): void;
  /** As if the operator had given someone a plan. */
  putOnPlan(address: string, level: PlanLevel): void;
  /** As if someone's files were so many and took so much room. */
  fill(address: string, usage: { readonly bytes: number; readonly files: number }): void;
  /** The site's own database, for what else a test needs to have happened. */
  openDatabase(): DatabaseSync;
}

/** The server as an operator runs it: its own process, an empty data folder, a free port, every default, a proxy. */
export async function startSite(environment: Record<string, string> = {}): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-site-'));
  const server = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir, PORT: '0', TRUST_PROXY: '127.0.0.1', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressFrom(server);
  return {
    url,
    newestCodeFor: (address) => newestInLetters(dataDir, address, /^ {4}(\d{6})\r?$/m),
    newestResetLinkFor: (address) => newestInLetters(dataDir, address, /https?:\/\/[^/\s]+(\/reset-password\?\S+)/),
    ageCodes(seconds) {
      using database = openDatabase(dataDir);
      database.prepare('UPDATE email_codes SET sent_at = sent_at - ?').run(seconds * 1000);
    },
    putOnPlan(address, level) {
      using database = openDatabase(dataDir);
      const { changes } = database
        .prepare('UPDATE accounts SET level = ?, granted_level = ? WHERE email_key = ?')
        .run(level, level, address.toLowerCase());
      if (changes !== 1) throw new Error(`${address} has no account`);
    },
    fill(address, { bytes, files }) {
      using database = openDatabase(dataDir);
      const { changes } = database
        .prepare('UPDATE accounts SET space_used = ?, slots_used = ? WHERE email_key = ?')
        .run(bytes, files, address.toLowerCase());
      if (changes !== 1) throw new Error(`${address} has no account`);
    },
    openDatabase: () => openDatabase(dataDir),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function openDatabase(dataDir: string): DatabaseSync {
  return new DatabaseSync(join(dataDir, 'holdfast.db'), { timeout: 5000 });
}

async function addressFrom(server: ChildProcess): Promise<string> {
  if (!server.stdout) throw new Error('the server has no output');
  const lines = createInterface({ input: server.stdout });
  for await (const line of lines) {
    const [, url] = /is listening on (http:[^\s,]+)/.exec(line) ?? [];
    if (url !== undefined) {
      // Whatever it prints later is read too, so that a full pipe never holds it up.
      lines.on('line', () => {});
      return url;
    }
  }
  throw new Error('the server ended before it listened');
}

async function newestInLetters(dataDir: string, address: string, what: RegExp): Promise<string> {
  await allHandedOver(dataDir, address);
  const outbox = join(dataDir, 'outbox');
  for (const name of (await readdir(outbox))
    .filter((each) => each.endsWith('.eml'))
    .toSorted()
    .toReversed()) {
    const letter = unfold(await readFile(join(outbox, name), 'utf8'));
    const [, found] = what.exec(letter) ?? [];
    if (found !== undefined && letter.toLowerCase().includes(`to: ${address.toLowerCase()}`)) return found;
  }
  throw new Error(`${address} got no letter with ${what}`);
}

/** A call answers when its letter is queued; the row goes when the letter is in the outbox. */
async function allHandedOver(dataDir: string, address: string): Promise<void> {
  using database = openDatabase(dataDir);
  const queued = database.prepare('SELECT count(*) AS letters FROM letters WHERE lower(recipient) = ?');
  for await (const _ of setInterval(20, undefined, { signal: AbortSignal.timeout(10_000) }))
    if (queued.get(address.toLowerCase())?.['letters'] === 0) return;
}

/** Long lines of a letter are broken (quoted-printable, RFC 2045 section 6.7). */
const unfold = (letter: string) => letter.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');

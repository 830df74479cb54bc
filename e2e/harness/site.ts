import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Site extends AsyncDisposable {
  readonly url: string;
  /** The code in the newest letter to an address. */
  newestCodeFor(address: string): Promise<string>;
  /** As if the codes that are waiting had been sent that much earlier. */
  ageCodes(seconds: number): void;
  /** As if someone had paid. */
  putOnPlan(address: string, level: PlanLevel): void;
}

/** The server as an operator runs it: its own process, an empty data folder, a free port, every default. */
export async function startSite(environment: Record<string, string> = {}): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-site-'));
  const server = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressFrom(server);
  return {
    url,
    newestCodeFor: (address) => newestCode(join(dataDir, 'outbox'), address),
    ageCodes(seconds) {
      using database = openDatabase(dataDir);
      database.prepare('UPDATE email_codes SET sent_at = sent_at - ?').run(seconds * 1000);
    },
    putOnPlan(address, level) {
      using database = openDatabase(dataDir);
      const { changes } = database
        .prepare('UPDATE accounts SET level = ? WHERE email_key = ?')
        .run(level, address.toLowerCase());
      if (changes !== 1) throw new Error(`${address} has no account`);
    },
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

async function newestCode(outbox: string, address: string): Promise<string> {
  for (const name of (await readdir(outbox))
    .filter((each) => each.endsWith('.eml'))
    .toSorted()
    .toReversed()) {
    const letter = await readFile(join(outbox, name), 'utf8');
    const [, code] = /^ {4}(\d{6})\r?$/m.exec(letter) ?? [];
    if (code !== undefined && letter.toLowerCase().includes(`to: ${address.toLowerCase()}`)) return code;
  }
  throw new Error(`no code was sent to ${address}`);
}

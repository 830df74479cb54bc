import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { newAccountRows, newSessionRow } from '@holdfast/test-support/account-rows.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setInterval } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Site extends AsyncDisposable {
  readonly url: string;
  /** The link of the first start, by which the first owner signs up. */
  readonly ownerLink: Promise<string>;
  /** The code in the newest email to an address. */
  newestCodeFor(address: string): Promise<string>;
  /**
   * Writes a verified account with one session into the database, where sign-up is not the subject of a test: its calls
   * and their proofs of work take longer than most tests. Returns the API key and the value of the session cookie.
   */
  addAccount(email: string, password: string): Promise<{ readonly apiKey: string; readonly sessionToken: string }>;
  /** Writes another session of an account, and returns the value of its cookie. */
  addSession(email: string, agent: string): string;
  /** Path and query of the link in the newest password reset email. */
  newestResetLinkFor(address: string): Promise<string>;
  /** Makes all pending codes older by the given number of seconds. */
  ageCodes(seconds: number): void;
  /** Sets a plan as if the operator had granted it. */
  putOnPlan(address: string, level: PlanLevel): void;
  /** Sets the number of files and the space that the account uses. */
  fill(address: string, usage: { readonly bytes: number; readonly files: number }): void;
  /** The site's own database, for any other state that a test needs. */
  openDatabase(): DatabaseSync;
  /** Stops the server; with `SIGKILL` in the middle of its work. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts it again at the same address, with its stored data. */
  start(): Promise<void>;
}

/** The server as an operator runs it: its own process, an empty data folder, a free port, all defaults, a proxy. */
export async function startSite(environment: Record<string, string> = {}): Promise<Site> {
  const dataDir = await mkdtemp(join(memoryFolder(), 'holdfast-site-'));
  const settings = {
    DATA_DIR: dataDir,
    PORT: '0',
    TRUST_PROXY: '127.0.0.1',
    SHUTDOWN_DELAY: '0',
    // The browser proves the same way in a fiftieth of the time.
    ALTCHA_DIFFICULTY: '1',
    ...environment,
  };
  let server = spawnServer(settings);
  const greeting = greetingFrom(server);
  const url = await greeting.url;
  const stop: Site['stop'] = async (signal = 'SIGTERM') => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  return {
    url,
    ownerLink: greeting.ownerLink,
    async addAccount(email, password) {
      using database = openDatabase(dataDir);
      const secret = Buffer.from((await readFile(join(dataDir, 'secret.key'), 'utf8')).trim());
      const rows = await newAccountRows({ email, password, plan: 'free', now: Date.now(), secret });
      insert(database, 'accounts', rows.account);
      insert(database, 'sessions', rows.session);
      return rows;
    },
    addSession(email, agent) {
      using database = openDatabase(dataDir);
      const account = database.prepare('SELECT id FROM accounts WHERE email = ?').get(email);
      const { sessionToken, session } = newSessionRow(String(account?.['id']), Date.now(), agent);
      insert(database, 'sessions', session);
      return sessionToken;
    },
    newestCodeFor: (address) => newestInEmails(dataDir, address, /^ {4}(\d{6})\r?$/m),
    newestResetLinkFor: (address) => newestInEmails(dataDir, address, /https?:\/\/[^/\s]+(\/reset-password#\S+)/),
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
    stop,
    async start() {
      const { port } = new URL(url);
      server = spawnServer({ ...settings, PORT: port });
      await greetingFrom(server).url;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function spawnServer(environment: Record<string, string>): ChildProcess {
  const server = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    env: { ...programEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Security events of every sign-in would hide what went wrong.
  createInterface({ input: server.stderr }).on('line', (line) => {
    if (!line.startsWith('{"level":30')) console.error(line);
  });
  return server;
}

function insert(database: DatabaseSync, table: string, row: Readonly<Record<string, string | number>>): void {
  const columns = Object.keys(row);
  database
    .prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
    .run(...Object.values(row));
}

function openDatabase(dataDir: string): DatabaseSync {
  return new DatabaseSync(join(dataDir, 'holdfast.db'), { timeout: 5000 });
}

/** All lines are read, so that a full pipe never blocks the server. */
function greetingFrom(server: ChildProcess): { readonly url: Promise<string>; readonly ownerLink: Promise<string> } {
  if (!server.stdout) throw new Error('the server has no output');
  const [url, ownerLink] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const lines = createInterface({ input: server.stdout });
  lines.on('line', (line) => {
    const [, address] = /is listening on (http:[^\s,]+)/.exec(line) ?? [];
    if (address !== undefined) url.resolve(address);
    const [link] = /http\S+#invitation=\S+/.exec(line) ?? [];
    if (link !== undefined) ownerLink.resolve(link);
  });
  lines.on('close', () => url.reject(new Error('the server ended before it listened')));
  return { url: url.promise, ownerLink: ownerLink.promise };
}

async function newestInEmails(dataDir: string, address: string, what: RegExp): Promise<string> {
  await allHandedOver(dataDir, address);
  const outbox = join(dataDir, 'outbox');
  for (const name of (await readdir(outbox))
    .filter((each) => each.endsWith('.eml'))
    .toSorted()
    .toReversed()) {
    const email = unfold(await readFile(join(outbox, name), 'utf8'));
    const [, found] = what.exec(email) ?? [];
    if (found !== undefined && email.toLowerCase().includes(`to: ${address.toLowerCase()}`)) return found;
  }
  throw new Error(`${address} got no letter with ${what}`);
}

/** A call responds once its email is queued; the queue row is deleted once the email is in the outbox. */
async function allHandedOver(dataDir: string, address: string): Promise<void> {
  using database = openDatabase(dataDir);
  const queued = database.prepare('SELECT count(*) AS emails FROM outgoing_emails WHERE lower(recipient) = ?');
  for await (const _ of setInterval(20, undefined, { signal: AbortSignal.timeout(10_000) }))
    if (queued.get(address.toLowerCase())?.['emails'] === 0) return;
}

/** Joins the lines of an email that quoted-printable has broken (RFC 2045 section 6.7). */
const unfold = (email: string) => email.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');

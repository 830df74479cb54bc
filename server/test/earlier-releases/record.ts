/**
 * Records the data of a release, for the test that later versions keep it:
 *
 *     node server/test/earlier-releases/record.ts NAME [FOLDER OF THE PROGRAM]
 *
 * It starts the program on a new data folder, uses it over HTTP, and writes `NAME.tar.gz` beside this file: the data
 * folder, and `kept.json`, the replies that later versions must repeat. With DATABASE_URL, an empty PostgreSQL
 * database, the archive has `database.sql` too. It imports nothing from the product, because the program may be
 * another version of it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Kept, KeptAccount } from './kept.ts';

const [name = '', program = resolve(import.meta.dirname, '../../..')] = process.argv.slice(2);
if (!/^[\w.-]+$/.test(name)) throw new Error('Name the release, such as 1.0.0.');

const folder = mkdtempSync(join(tmpdir(), 'holdfast-record-'));
const dataDir = join(folder, 'data');
const { PATH = '', DATABASE_URL } = process.env;
const env = {
  PATH,
  DATA_DIR: dataDir,
  PORT: '0',
  CAPTCHA: 'none',
  SHUTDOWN_DELAY: '0',
  ...(DATABASE_URL !== undefined && { DATABASE_URL }),
};
const password = 'Correct-Horse-7';
const changes = [
  { timezone_auto: false },
  { timezone: 'Asia/Kolkata' },
  { return_file_extension: false },
  { continuous_uploading: true },
  { inactivity_auto_delete_days: 30 },
  { preferred_filename_length: 12 },
];

const server = spawn(process.execPath, [join(program, 'server/src/main.ts')], {
  env,
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.once('exit', () => server.kill('SIGKILL'));
const origin = await listening();
const kept: Kept = { accounts: [await recordAda(), await recordBob()] };
// The port is another one at each start.
const host = new RegExp(`localhost:${new URL(origin).port}`, 'g');
writeFileSync(join(folder, 'kept.json'), JSON.stringify(kept, null, 2).replaceAll(host, 'HOST'));
server.kill('SIGTERM');
await once(server, 'exit');
if (DATABASE_URL !== undefined)
  execFileSync('pg_dump', ['--no-owner', '--inserts', '--file', join(folder, 'database.sql'), DATABASE_URL]);
const archive = join(import.meta.dirname, `${name}.tar.gz`);
execFileSync('tar', ['-czf', archive, '-C', folder, ...readdirSync(folder)]);
rmSync(folder, { recursive: true });
console.log(archive);

async function listening(): Promise<string> {
  for await (const line of createInterface(server.stdout)) {
    const [, port] = /is listening on http:\/\/localhost:(\d+)/.exec(line) ?? [];
    if (port !== undefined) return `http://127.0.0.1:${port}`;
  }
  throw new Error('The server did not start.');
}

/** Two files with the same bytes, a favorite, a deleted file, one of several megabytes, and no setting as it comes. */
async function recordAda(): Promise<KeptAccount> {
  const { cookie, apiKey } = await signUp('ada@example.com');
  const session = { Cookie: cookie };
  const first = await upload(apiKey, 'kelp.txt', Buffer.from('A holdfast anchors kelp to rock.\n'));
  await upload(apiKey, 'same kelp ü.txt', Buffer.from('A holdfast anchors kelp to rock.\n'));
  await upload(apiKey, 'large.zip', Buffer.alloc(3_000_000, 'kelp'));
  const gone = await upload(apiKey, 'gone.txt', Buffer.from('gone'));
  await call('POST', '/rest/toggle-favorite', session, { file: nameOf(first) });
  await call('DELETE', '/rest/delete-files', session, { files: [nameOf(gone)] });
  for (const setting of changes) await call('POST', '/session/set-account-settings', session, setting);
  const keyed = { key: 'the same upload', text: 'twelve characters' };
  const url = await upload(apiKey, 'long name.txt', Buffer.from(keyed.text), { 'Idempotency-Key': keyed.key });
  return { ...(await read('ada@example.com', apiKey, [nameOf(gone)])), keyed: { ...keyed, name: nameOf(url) } };
}

/** An account with a plan, limits of its own and its key in forms, whose only file has the bytes of another account's file. */
async function recordBob(): Promise<KeptAccount> {
  const { apiKey, cookie } = await signUp('bob@example.com');
  await call('POST', '/session/set-key-in-form', { Cookie: cookie }, { allowed: true });
  holdfast('account', 'set-plan', 'bob@example.com', 'power');
  holdfast('account', 'set-limits', 'bob@example.com', '--space', '77GB', '--speed', '50');
  await upload(apiKey, 'kelp again.txt', Buffer.from('A holdfast anchors kelp to rock.\n'));
  return read('bob@example.com', apiKey, []);
}

function holdfast(...command: readonly string[]): void {
  execFileSync(process.execPath, [join(program, 'cli/src/holdfast.mjs'), ...command], { env, cwd: folder });
}

async function signUp(email: string) {
  const { cookie: pending } = await call(
    'POST',
    '/session/create-account',
    {},
    { email, password, password2: password },
  );
  await call('POST', '/session/verify-email', { Cookie: pending }, { code: await codeFor(email) });
  const { cookie } = await call('POST', '/session/login', {}, { email, password });
  const { account } = (await call('GET', '/rest/get-account-info', { Cookie: cookie })).reply as {
    readonly account: { readonly info: { readonly api_key: string } };
  };
  return { cookie, apiKey: account.info.api_key };
}

/** The code in the newest email of the outbox, which is written after the reply. */
async function codeFor(email: string): Promise<string> {
  const outbox = join(dataDir, 'outbox');
  for (;;) {
    const texts = readdirSync(outbox).map((file) => readFileSync(join(outbox, file), 'utf8'));
    const [, code] = /^\s*(\d{6})\s*$/m.exec(texts.find((text) => text.includes(`To: ${email}`)) ?? '') ?? [];
    if (code !== undefined) return code;
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function upload(apiKey: string, fileName: string, bytes: Buffer, more = {}): Promise<string> {
  await pause();
  const body = new FormData();
  body.set('file', new File([new Uint8Array(bytes)], fileName));
  const response = await fetch(`${origin}/api/v3/upload`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, ...more },
    body,
  });
  if (!response.ok) throw new Error(`${fileName}: ${await response.text()}`);
  const { url } = (await response.json()) as { readonly url: string };
  return url;
}

/** An address may make four calls in a second. */
function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done, 300));
}

function nameOf(url: string): string {
  return /\/file\/(\w+)/.exec(url)?.[1] ?? '';
}

async function read(email: string, apiKey: string, deleted: readonly string[]): Promise<KeptAccount> {
  const headers = { 'X-API-Key': apiKey };
  const { reply } = await call('GET', '/rest/get-file-list?limit=100', headers);
  const list = reply as KeptAccount['list'];
  const { reply: info } = await call('GET', '/rest/get-account-info', headers);
  const { reply: settings } = await call('GET', '/rest/get-account-settings', headers);
  const digests = await Promise.all(
    list.files.map(async (file): Promise<[string, string]> => {
      const response = await fetch(`${origin}/file/${file.name}?no-count=true`);
      return [
        file.name,
        createHash('sha256')
          .update(new Uint8Array(await response.arrayBuffer()))
          .digest('hex'),
      ];
    }),
  );
  return { email, password, apiKey, list, info, settings, digests, deleted };
}

async function call(method: string, path: string, headers: Readonly<Record<string, string>>, body?: object) {
  await pause();
  const response = await fetch(`${origin}/api/v3${path}`, {
    method,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reply: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(reply)}`);
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  return { reply, cookie };
}

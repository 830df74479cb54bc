import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createHoldfast } from '@holdfast/client/src/client.ts';
import { addUploaders, openPlace } from '@holdfast/server/test/harness/place.ts';
import { startService } from '@holdfast/server/test/harness/real-process.ts';
import { createTestDatabase } from '@holdfast/server/test/harness/test-database.ts';
import { sha256 } from '@holdfast/server/test/harness/uploads.ts';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';
import { expect, test } from 'vitest';

const own = fileURLToPath(new URL('../..', import.meta.url));
/** `CLI_NODE` is another Node for the command, and `CLI_FILES` the number of files. */
const { CLI_NODE: node = process.execPath, CLI_FILES: wantedFiles = '40' } = process.env;

test(
  'files of a killed command whose server restarts are stored once, and what has a link is not sent again',
  { timeout: 600_000 },
  async () => {
    await using stage = await openStage();
    const count = Number(wantedFiles);
    const local = new Map<string, { readonly size: number; readonly digest: string }>();
    for (let at = 0; at < count; at += 1) {
      const path = join('files', String(at % 7), `${at}.bin`);
      const bytes = randomBytes(sizeOf(at));
      await mkdir(join(stage.folder, dirname(path)), { recursive: true });
      await writeFile(join(stage.folder, path), bytes);
      local.set(path, { size: bytes.length, digest: sha256(bytes) });
    }
    const total = [...local.values()].reduce((sum, { size }) => sum + size, 0);
    const first = stage.start(['upload', '--json', 'files']);
    const printed = linksOf(first.output);
    for (const part of [0.2, 0.4]) {
      await stage.untilReceived(total * part);
      await stage.restart();
    }
    await stage.untilReceived(total * 0.6);
    first.kill();
    const early = await printed;
    expect(await first.code).toBeNull();
    const sentFirst = stage.received();
    const second = stage.start(['upload', '--json', 'files']);
    const links = await linksOf(second.output);
    expect(await second.code).toBe(0);
    expect(new Set(links.keys())).toEqual(new Set(local.keys()));
    expect([...early].filter(([path, link]) => links.get(path) !== link)).toEqual([]);
    const missing = [...local].filter(([path]) => !early.has(path));
    // And the headers.
    const most = missing.reduce((sum, [, { size }]) => sum + size + 4_000, 0);
    const sentSecond = stage.received() - sentFirst;
    expect(sentSecond).toBeLessThan(most);
    expect((await stage.holdfast.getAccountInfo()).account.usage.slots_used).toBe(count);
    for (const [path, { digest }] of local)
      expect(sha256(await buffer(stage.holdfast.readBytes(links.get(path) ?? ''))), path).toBe(digest);
    if (count > 40) console.log({ node, count, total, early: early.size, sentFirst, sentSecond, most });
  },
);

test('a large file of a killed command goes on where it was', async () => {
  await using stage = await openStage();
  const bytes = randomBytes(60_000_000);
  await writeFile(join(stage.folder, 'pack.zip'), bytes);
  const first = stage.start(['upload', 'pack.zip']);
  await stage.untilReceived(50_000_000);
  first.kill();
  expect(await first.code).toBeNull();
  const sentFirst = stage.received();
  const second = stage.start(['upload', 'pack.zip']);
  const link = (await text(second.output)).trim();
  // The server syncs every 16 MB, and the sockets hold some.
  expect(stage.received() - sentFirst).toBeLessThan(45_000_000);
  expect(await stage.holdfast.getDigest(link)).toBe(sha256(bytes));
});

/** One of a hundred is sent in pieces, and one of twenty is empty. */
function sizeOf(at: number): number {
  if (at % 20 === 3) return 0;
  if (at % 100 === 13) return 17_000_000 + at;
  return at % 5 === 0 ? 500_000 + at : 1_000 + at;
}

async function linksOf(output: Readable): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>();
  for await (const line of createInterface(output)) {
    const { path, url } = JSON.parse(line) as { path: string; url: string };
    links.set(path, url);
  }
  return links;
}

/** A server behind a relay that counts, and the packed command. */
async function openStage() {
  const opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-cli-'));
  opened.defer(() => rm(folder, { recursive: true }));
  const database = opened.use(await createTestDatabase());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const place = await openPlace(folder, database.url, { PUBLIC_URL: url });
  const relay = await startCounter(port, place.port);
  opened.defer(() => relay.close());
  let server = await startService(place);
  opened.defer(() => server[Symbol.asyncDispose]());
  const [{ apiKey } = { apiKey: '' }] = await addUploaders(place, 1);
  const command = await installCommand(folder);
  return {
    folder,
    holdfast: createHoldfast({ url, apiKey }),
    received: relay.received,
    untilReceived: relay.untilReceived,
    async restart() {
      await server.kill();
      server = await startService(place);
    },
    start(args: readonly string[]) {
      const env = { ...programEnvironment, HOME: folder, HOLDFAST_URL: url, HOLDFAST_KEY: apiKey };
      const child = spawn(node, [command, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
      opened.defer(() => void child.kill('SIGKILL'));
      const code = once(child, 'close').then(([status]) => status as number | null);
      return { output: child.stdout, code, kill: () => child.kill('SIGKILL') };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function startCounter(port: number, target: number) {
  let bytes = 0;
  let check = () => {};
  const relay = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    client.on('data', (chunk) => {
      bytes += chunk.length;
      check();
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      from
        .on('error', () => {})
        .on('close', () => to.destroy())
        .pipe(to);
  }).listen(port, '127.0.0.1');
  await once(relay, 'listening');
  return {
    received: () => bytes,
    untilReceived: (count: number) =>
      new Promise<void>((resolve) => {
        check = () => void (bytes >= count && resolve());
        check();
      }),
    close: () => void relay.close(),
  };
}

/** Returns its path. */
async function installCommand(folder: string): Promise<string> {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: own });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  const installed = join(folder, 'node_modules/@holdfast/cli');
  await mkdir(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, archive), '-C', installed, '--strip-components=1']);
  const commander = dirname(createRequire(join(own, 'package.json')).resolve('commander'));
  await symlink(commander, join(folder, 'node_modules/commander'));
  return join(installed, 'dist/holdfast-cli.js');
}

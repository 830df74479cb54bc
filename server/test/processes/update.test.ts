/** An installation from an archive, which `holdfast update` replaces by a newer one. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { version } from '../../src/config/version.ts';
import { installRelease, packRelease } from '../harness/install-release.ts';
import { newFolder, newTestPlace } from '../harness/new-place.ts';
import { addUploaders, type Place } from '../harness/place.ts';
import { startService } from '../harness/real-process.ts';
import { formWith } from '../harness/uploads.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

const newer = version.replace(/\d+$/, (patch) => `${Number(patch) + 1}`);
const migrations = 'server/src/storage/db/migrations';

const run = promisify(execFile);

interface Installation {
  readonly place: Place;
  readonly program: string;
  /** Runs a command of the program in `folder`, as the owner of the installation does. */
  holdfast(args: readonly string[], folder?: string): Promise<{ out: string; err: string; code: unknown }>;
  start(args: readonly string[], folder?: string): ChildProcess;
  /** Uploads a file. */
  upload(): Promise<void>;
  /** Packs a newer version after `change`. */
  pack(change?: (folder: string) => Promise<void>): Promise<string>;
  update(archive: string, ...more: readonly string[]): Promise<{ out: string; err: string; code: unknown }>;
  /** The version in place, once it works with the data. */
  works(): Promise<string>;
}

/** One account, the settings in `.env`, and a list of plans beside them. */
async function install(at?: string): Promise<Installation> {
  const folder = at ?? (await newFolder());
  const place = await newTestPlace(folder);
  await (await startService(place)).stop();
  const [uploader] = await addUploaders(place, 1);
  const program = join(folder, 'holdfast');
  await installRelease(program, version);
  const settings = { ...place.environment, PLANS_FILE: 'plans.json' };
  await writeFile(
    join(program, '.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  await writeFile(join(program, 'plans.json'), '{}');
  const backups = join(folder, 'backups');
  const start = (args: readonly string[], from = program) =>
    spawn(join(from, 'holdfast'), args, { env: programEnvironment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const holdfast = async (args: readonly string[], from?: string) => {
    const child = start(args, from);
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { out, err, code: code as unknown };
  };
  return {
    place,
    program,
    holdfast,
    start,
    async upload() {
      await using service = await startService(place);
      const headers = { 'X-API-Key': uploader?.apiKey ?? '' };
      const url = `${place.environment['PUBLIC_URL']}/api/v3/upload`;
      expect((await fetch(url, { method: 'POST', headers, body: formWith('kept') })).status).toBe(200);
      await service.stop();
    },
    async pack(change = async () => {}) {
      const parent = join(folder, 'release');
      await rm(parent, { recursive: true, force: true });
      await installRelease(join(parent, 'newer'), newer);
      await change(join(parent, 'newer'));
      return packRelease(parent, 'newer');
    },
    update: (archive, ...more) => holdfast(['update', archive, '--backup', backups, ...more]),
    async works() {
      const found = await holdfast(['stats', '--json']);
      expect(found).toMatchObject({ code: 0, err: '' });
      expect(JSON.parse(found.out)).toMatchObject({ accounts: { open: 1 } });
      return (await holdfast(['--version'])).out.trim();
    },
  };
}

const addsTable = (name: string) => async (folder: string) =>
  writeFile(join(folder, migrations, `${name}.sql`), `CREATE TABLE t${name.replaceAll(/\D/g, '')} (id text);\n`);

/** What the disk or the database does to the real data, and did not to the copy. */
async function failAt(folder: string, name: string): Promise<void> {
  const path = join(folder, 'server/src/storage/db/migrate.ts');
  const failure = `if (name === '${name}.sql' && !process.env.DATA_DIR.endsWith('/update')) throw new Error('no room');`;
  const source = await readFile(path, 'utf8');
  await writeFile(path, source.replace('await takeTurn?.(tx);\n      const seen', `${failure}\n      const seen`));
}

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const nobody = 65_534;

/** Root updates the service of another user. Returns who owns the data and the backups. */
async function giveDataAway({ place: { folder, dataDir } }: Installation) {
  const backups = join(folder, 'backups');
  await chmod(folder, 0o755);
  if (isRoot) await run('chown', ['-R', `${nobody}:${nobody}`, dataDir]);
  return async () => {
    const { stdout } = await run('find', [dataDir, backups, '-printf', '%U\n']);
    return [...new Set(stdout.trim().split('\n').map(Number))];
  };
}

/** Kills an update, with the programs that it runs. */
async function killAt(step: string, child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('it has no output');
  for await (const line of createInterface(child.stdout))
    if ((JSON.parse(line) as { step: string }).step === step) break;
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await once(child, 'close');
}

const lineToGoBack = /^\S+\.old\/holdfast (update --back \S+)$/m;
const email = 'uploader0@example.com';

const leftIn = async ({ place, program }: Installation) => ({
  programs: (await readdir(join(program, '..'))).filter((name) => name.startsWith('holdfast')),
  copy: existsSync(join(place.dataDir, 'update')),
});

test('an update backs up, tries the new version on a copy, and keeps settings, data and the old program', async () => {
  const own = await install();
  const archive = await own.pack(addsTable('9998-adds'));
  const owners = await giveDataAway(own);
  const { out, err, code } = await own.update(archive);
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).toMatch(
    new RegExp(`Version ${newer} is in ${own.program}: start it. To go back, .+\n${own.program}.old/holdfast .+Z\\n$`),
  );
  expect(await owners()).toEqual([isRoot ? nobody : process.getuid?.()]);
  expect(await own.works()).toBe(newer);
  expect(await leftIn(own)).toEqual({ programs: ['holdfast', 'holdfast.old'], copy: false });
  expect(await readdir(own.program)).toEqual(expect.arrayContaining(['.env', 'plans.json']));
  expect(await own.holdfast(['stats'], `${own.program}.old`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('9998-adds.sql') as string,
  });
});

test('an update is refused with its reason, before anything is written', async () => {
  const own = await install();
  const archive = await own.pack();
  const settings = await readFile(join(own.program, '.env'), 'utf8');
  const listener = createServer().listen(own.place.port, '127.0.0.1');
  await once(listener, 'listening');
  expect((await own.update(archive)).err).toContain(`A server listens on port ${own.place.port}. Stop it first`);
  listener.close();
  await mkdir(`${own.program}.new`);
  expect((await own.update(archive)).err).toContain('another update runs, or was interrupted. Remove it');
  await rm(`${own.program}.new`, { recursive: true });
  await appendFile(join(own.program, '.env'), 'DATA_DIR=data\n');
  expect((await own.update(archive)).err).toContain('holdfast/data is in the folder of the program');
  await writeFile(join(own.program, '.env'), settings);
  await appendFile(archive, 'x');
  expect((await own.update(archive)).err).toContain('is damaged, or another file');
  await rm(join(own.program, 'bin'), { recursive: true });
  expect((await own.update(archive)).err).toContain('is not from the archive of a release');
  expect(await leftIn(own)).toEqual({ programs: ['holdfast'], copy: false });
});

test('an update that fails before the new version is installed changes nothing', async () => {
  const own = await install();
  const fails = async (reason: string, change?: (folder: string) => Promise<void>, ...more: readonly string[]) => {
    const { err, code } = await own.update(await own.pack(change), ...more);
    expect({ code, err }, reason).toEqual({ code: 1, err: expect.stringContaining(reason) as string });
    expect(err).toMatch(/\nNothing was changed: version \S+ can be started again\.\n$/);
    expect(await leftIn(own), reason).toEqual({ programs: ['holdfast'], copy: false });
  };
  const isOld = (folder: string) =>
    writeFile(join(folder, 'package.json'), JSON.stringify({ version, type: 'module' }));
  await fails(`${version} is installed`, isOld);
  await fails("holdfast backup' failed", undefined, '--backup=/dev/null');
  const cannotMigrate = (folder: string) => writeFile(join(folder, migrations, '9998-fails.sql'), 'SELECT * FROM t;\n');
  await fails("holdfast.new/holdfast migrate' failed", cannotMigrate);
  const cannotStart = (folder: string) =>
    writeFile(join(folder, 'server/src/main.ts'), 'console.error("no"); process.exit(1);\n');
  await fails('The new version does not start on a copy of the data: no', cannotStart);
  expect(await own.works()).toBe(version);
});

test.runIf(isRoot)('an update that fills the disk changes nothing', async () => {
  const disk = join(await newFolder(), 'disk');
  await mkdir(disk);
  await run('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'holdfast-update', disk]);
  onTestFinished(async () => void (await run('umount', [disk])));
  const own = await install(disk);
  const archive = await own.pack();
  const filler = join(disk, 'filler');
  await expect(writeFile(filler, Buffer.alloc(100_000_000))).rejects.toThrow('ENOSPC');
  await truncate(filler, (await stat(filler)).size - 1_000_000);
  expect((await own.update(archive)).err).toMatch(/'tar -xzpf' failed.\nNothing was changed/);
  expect(await leftIn(own)).toEqual({ programs: ['holdfast'], copy: false });
  await rm(filler);
  expect(await own.works()).toBe(version);
});

test('a migration that fails on the data itself brings the old version back', async () => {
  const own = await install();
  const archive = await own.pack(async (folder) => {
    await addsTable('9998-adds')(folder);
    await failAt(folder, '9998-adds');
  });
  expect((await own.update(archive)).err).toContain(
    `Version ${version} is back, and the database is as it was. Start it`,
  );
  expect(await own.works()).toBe(version);
  expect(await leftIn(own)).toEqual({ programs: ['holdfast'], copy: false });
});

/** PostgreSQL has no file that takes the place of another one. */
const onSqlite = process.env['TEST_DATABASE'] !== 'postgres';

const plan = async (own: Installation) =>
  (JSON.parse((await own.holdfast(['account', 'show', email, '--json'])).out) as { plan: string }).plan;

test.runIf(onSqlite)(
  'the command that an update prints goes back to the old program and its rows, and keeps all bytes',
  async () => {
    const own = await install();
    await own.upload();
    const archive = await own.pack(addsTable('9998-adds'));
    const owners = await giveDataAway(own);
    const goBack = lineToGoBack.exec((await own.update(archive)).out)?.[1]?.split(' ') ?? [];
    await own.holdfast(['account', 'set-plan', email, 'house']);
    expect((await own.holdfast(goBack)).err).toContain(`run '${own.program}.old/holdfast update --back `);
    const { out, err, code } = await own.holdfast(goBack, `${own.program}.old`);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(await own.works()).toBe(version);
    expect(await plan(own)).toBe('power');
    expect(await own.holdfast(['fsck', '--scrub'])).toMatchObject({ code: 0 });
    expect(await owners()).toEqual([isRoot ? nobody : process.getuid?.()]);
    expect(await leftIn(own)).toEqual({ programs: ['holdfast', 'holdfast.newer'], copy: false });
    const aside = / and (\S+\/holdfast\.db\.\S+) can be removed\.$/m.exec(out)?.[1] ?? '';
    using database = new DatabaseSync(aside, { readOnly: true });
    expect(database.prepare('SELECT max(name) AS newest FROM migrations').get()).toEqual({ newest: '9998-adds.sql' });
    expect(await own.update(archive)).toMatchObject({ code: 0 });
  },
);

test.runIf(onSqlite)('the newer version is whole after a kill at any step of going back', async () => {
  const own = await install();
  const goBack = lineToGoBack.exec((await own.update(await own.pack())).out)?.[1]?.split(' ') ?? [];
  await own.holdfast(['account', 'set-plan', email, 'house']);
  for (const step of ['try', 'deletions', 'restore']) {
    await killAt(step, own.start([...goBack, '--json'], `${own.program}.old`));
    expect(await own.works(), step).toBe(newer);
    expect(await plan(own), step).toBe('house');
  }
  expect(await own.holdfast(goBack, `${own.program}.old`)).toMatchObject({ code: 0 });
  expect(await plan(own)).toBe('power');
});

test.skipIf(onSqlite)('on PostgreSQL the way back needs an empty database, and says so', async () => {
  const own = await install();
  const old = `${own.program}.old`;
  const archive = await own.pack(addsTable('9998-adds'));
  const goBack = lineToGoBack.exec((await own.update(archive)).out)?.[1]?.split(' ') ?? [];
  await own.holdfast(['account', 'set-plan', email, 'house']);
  expect((await own.holdfast(goBack, old)).err).toContain('name an empty database in DATABASE_URL of its .env first');
  expect([await own.works(), await plan(own)]).toEqual([newer, 'house']);
  const { environment } = await newTestPlace();
  await appendFile(join(old, '.env'), `DATABASE_URL=${environment['DATABASE_URL']}\n`);
  const done = await own.holdfast(goBack, old);
  expect({ ...done, out: done.out.includes('could not be listed') }).toEqual({ err: '', code: 0, out: false });
  expect([await own.works(), await plan(own)]).toEqual([version, 'power']);
});

test('if some of several migrations are done, the new version stays and its start goes on', async () => {
  const own = await install();
  const archive = await own.pack(async (folder) => {
    await addsTable('9998-adds')(folder);
    await addsTable('9999-adds')(folder);
    await failAt(folder, '9999-adds');
  });
  expect((await own.update(archive)).err).toContain(`Version ${newer} is in ${own.program}, and its start goes on`);
  // The reason is gone.
  await writeFile(
    join(own.program, 'server/src/storage/db/migrate.ts'),
    await readFile(new URL('../../src/storage/db/migrate.ts', import.meta.url)),
  );
  expect(await own.holdfast(['migrate'])).toMatchObject({ code: 0 });
  expect(await own.works()).toBe(newer);
});

test('one version is whole after a kill at any step', async () => {
  const own = await install();
  const archive = await own.pack(addsTable('9998-adds'));
  for (const step of ['unpack', 'back up', 'try', 'install']) {
    await killAt(step, own.start(['update', archive, '--backup', join(own.place.folder, 'backups'), '--json']));
    expect(await own.holdfast(['migrate']), step).toMatchObject({ code: 0 });
    if ((await own.works()) === newer) return;
    await rm(`${own.program}.new`, { recursive: true });
  }
  expect(await own.update(archive)).toMatchObject({ code: 0 });
  expect(await own.works()).toBe(newer);
});

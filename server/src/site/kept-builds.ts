/**
 * Copies of the web app's assets in the data folder, so that a tab loaded before an upgrade can still load the assets
 * of its own version. Each build has a folder named after its assets, which records since when it is no longer served.
 */
import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { days, hours } from '../lib/clock.ts';
import { refuseLink } from '../lib/refuse-link.ts';

/** Lifetime of an earlier version's assets after the upgrade. */
const keptFor = days(1);
/** Limit on earlier versions, however many upgrades happen in a day. */
const mostKept = 5;
/** An unfinished copy older than this was left by a process that died. */
const copiedWithin = hours(1);

type Place = Pick<Context, 'clock'> & { readonly config: Pick<Context['config'], 'dataDir'> };

/**
 * Returns the folder that contains an asset of this name, from any version served now or within the last day; null if
 * there is none.
 */
export async function findKeptAsset(place: Place, name: string): Promise<string | null> {
  if (!/^\w[\w.-]*$/.test(name)) return null;
  const builds = await readBuilds(place);
  for (const { assets } of builds.filter((build) => !isOver(build, place)))
    if (await isFile(join(assets, name))) return assets;
  return null;
}

/**
 * Copies the assets in `folder`, which belong to this version, and marks all other versions as no longer served.
 * Versions replaced more than a day ago are deleted.
 */
export async function keepBuild(place: Place, folder: string): Promise<void> {
  const root = rootOf(place);
  await mkdir(root, { recursive: true, mode: 0o700 });
  await refuseLink(root);
  const own = await copyBuild(folder, root);
  // A later rollback may serve an older version again.
  await rm(join(own, leftAtFile), { force: true });
  for (const { path, leftAt } of await readBuilds(place))
    if (path !== own && leftAt === null) await writeLeftAt(path, place.clock.now());
  const others = (await readBuilds(place)).filter(({ path }) => path !== own);
  const newestFirst = others.toSorted((a, b) => (b.leftAt ?? Infinity) - (a.leftAt ?? Infinity));
  const old = newestFirst.filter((build, at) => at >= mostKept || isOver(build, place));
  for (const { path } of old) await rm(path, { recursive: true, force: true });
}

interface Build {
  readonly path: string;
  readonly assets: string;
  /** The time when another version replaced it; null while it is served. */
  readonly leftAt: number | null;
}

const rootOf = ({ config }: Place) => join(config.dataDir, 'web-builds');
const leftAtFile = 'left-at';

const isOver = ({ leftAt }: Build, { clock }: Place) => leftAt !== null && leftAt <= clock.now() - keptFor;

async function readBuilds(place: Place): Promise<Build[]> {
  const root = rootOf(place);
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  // A link would lead out of the data folder.
  const builds = entries.filter((entry) => entry.isDirectory() && isBuild(entry.name));
  return Promise.all(builds.map(({ name }) => readBuild(join(root, name))));
}

const isBuild = (name: string) => /^[0-9a-f]{32}$/.test(name);

async function readBuild(path: string): Promise<Build> {
  const leftAt = await readFile(join(path, leftAtFile), 'utf8').catch(() => null);
  return { path, assets: join(path, 'assets'), leftAt: leftAt === null ? null : Number(leftAt) };
}

/** Writes so that a reader sees the whole number or none. */
async function writeLeftAt(build: string, now: number): Promise<void> {
  const unfinished = join(build, `${leftAtFile}.${randomUUID()}`);
  await writeFile(unfinished, String(now));
  await rename(unfinished, join(build, leftAtFile));
}

/** A folder with its final name is complete, even after a power loss. */
async function copyBuild(folder: string, root: string): Promise<string> {
  const names = (await readdir(folder)).toSorted();
  // The name of an asset contains its hash, so all names together identify the build.
  const build = join(root, createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 32));
  if (await isFolder(build)) return build;
  const unfinished = `${build}.${randomUUID()}`;
  try {
    await mkdir(unfinished);
    await removeUnfinished(root, unfinished);
    await cp(folder, join(unfinished, 'assets'), { recursive: true });
    for (const name of ['.', ...names]) await sync(join(unfinished, 'assets', name));
    await rename(unfinished, build);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process may have copied the same build in the meantime.
    if (!(await isFolder(build))) throw error;
  }
  return build;
}

/** Uses the file system's own clock to find their age: `newest` was created just now. */
async function removeUnfinished(root: string, newest: string): Promise<void> {
  const { mtimeMs: now } = await stat(newest);
  for (const name of (await readdir(root)).filter((each) => !isBuild(each))) {
    const found = await stat(join(root, name)).catch(() => null);
    if (found && found.mtimeMs <= now - copiedWithin) await rm(join(root, name), { recursive: true, force: true });
  }
}

async function sync(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

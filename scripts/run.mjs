/** Runs other programs with the pinned Node first on the path. Works under the machine's own older Node. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const packages = join(root, 'node_modules');
const neededMajor = 24;

/**
 * Returns the folder of the installed Node. It is looked up in its own package, because npm 10 does not link a program
 * that several packages, one for each platform, provide under one name.
 */
function pinnedFolder() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  return join(packages, `node-${platform}-${process.arch}`, 'bin');
}

/** Returns the path of the installed Node, or of the one that runs this if no package exists for the platform. */
export function pinnedNode() {
  const path = join(pinnedFolder(), process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(path)) return path;
  if (Number.parseInt(process.versions.node, 10) >= neededMajor) return process.execPath;
  console.error(
    `Holdfast needs Node ${neededMajor} or newer here, and this is ${process.version}: install it from nodejs.org.`,
  );
  process.exit(1);
}

/** Node obeys these options wherever they stand: a file could run code before the program checks whose file it is. */
export function refuseFilesForNode(args) {
  const found = args.find((arg) => /^--(env|experimental-(default-)?config)-file/.test(arg));
  if (found === undefined) return;
  console.error(`${found.split('=')[0]} is an option of Node itself. Name the settings file with --settings.`);
  process.exit(2);
}

function environment(extra = {}) {
  const path = [pinnedFolder(), join(packages, '.bin'), process.env.PATH ?? ''].join(delimiter);
  return { ...process.env, PATH: path, ...extra };
}

/** Runs a program in the root folder, forwards our signals, and returns its exit code. */
export function run(command, args, { env, stdio = 'inherit', signal } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: environment(env),
      stdio,
      signal,
      shell: process.platform === 'win32',
    });
    // A terminal sends ctrl-C to the child as well. If it were forwarded it would count twice, and the second one means
    // "at once".
    const pass = (name) => (name === 'SIGINT' && process.stdin.isTTY) || child.kill(name);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const name of signals) process.on(name, pass);
    child.once('error', reject);
    child.once('close', (code, name) => {
      for (const each of signals) process.off(each, pass);
      resolve(code ?? (name === null ? 1 : 128));
    });
  });
}

/** Like `run`, but throws if the program fails. */
export async function mustRun(command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with status ${code}`);
}

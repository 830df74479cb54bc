/** Running other programs with the pinned Node first on the path. Works under the machine's own older Node. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const packages = join(root, 'node_modules');
const neededMajor = 24;

/**
 * Where the Node is that came with the install. It is looked up in its own package: npm 10 does not link a program
 * that several packages, one for each platform, bring under one name.
 */
function pinnedFolder() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  return join(packages, `node-${platform}-${process.arch}`, 'bin');
}

/** The Node that came with the install, or the one that runs this where the platform has no package of it. */
export function pinnedNode() {
  const path = join(pinnedFolder(), process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(path)) return path;
  if (Number.parseInt(process.versions.node, 10) >= neededMajor) return process.execPath;
  console.error(
    `Holdfast needs Node ${neededMajor} or newer here, and this is ${process.version}: install it from nodejs.org.`,
  );
  process.exit(1);
}

function environment(extra = {}) {
  const path = [pinnedFolder(), join(packages, '.bin'), process.env.PATH ?? ''].join(delimiter);
  return { ...process.env, PATH: path, ...extra };
}

/** Starts a program in the root folder, passes our signals on, and answers its exit code. */
export function run(command, args, { env, stdio = 'inherit', signal } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: environment(env),
      stdio,
      signal,
      shell: process.platform === 'win32',
    });
    // A terminal sends ctrl-C to the child as well: passed on it would count twice, and the second one means 'at once'.
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

/** Like `run`, for steps that must succeed. */
export async function mustRun(command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with status ${code}`);
}

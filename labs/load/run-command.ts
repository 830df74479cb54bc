/** A command of the operator in a process of its own, on a disk that fails at some paths. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';
import type { Place } from '../../server/test/harness/place.ts';

const entry = fileURLToPath(new URL('../../cli/src/holdfast.ts', import.meta.url));
const noSettings = fileURLToPath(new URL('../../server/test/harness/empty.env', import.meta.url));

export interface BadSectors {
  /** System calls, separated by commas. */
  readonly calls: string;
  readonly paths: readonly string[];
}

export async function runCommand(
  place: Place,
  args: readonly string[],
  bad: BadSectors | null = null,
  settings: Readonly<Record<string, string>> = {},
) {
  const command = [process.execPath, entry, ...args, '--settings', noSettings];
  const faults = bad && ['-e', `trace=${bad.calls}`, '-e', `inject=${bad.calls}:error=EIO`];
  const strace = bad && ['strace', '-f', '-qq', '-o', '/dev/null', ...bad.paths.flatMap((path) => ['-P', path])];
  const [program = '', ...rest] = [...(strace ?? []), ...(faults ?? []), ...command];
  const child = spawn(program, rest, {
    cwd: place.folder,
    env: { ...programEnvironment, ...place.environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: Number(code), out, err };
}

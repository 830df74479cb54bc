import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { environmentWith } from '@holdfast/server/src/config/config.ts';
import type { Environment } from '@holdfast/server/src/config/read-setting.ts';
import { settingsArguments } from '@holdfast/server/src/config/settings-file.ts';
import { Refused } from './explain.ts';

/** Runs a program, whose errors the operator sees. */
export async function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<string> {
  const { output, code } = await outputOf(command, args, options);
  if (code !== 0) throw new Refused(`'${command} ${args[0]}' failed.`);
  return output;
}

async function outputOf(command: string, args: readonly string[], options: SpawnOptions) {
  const child = spawn(command, args, { cwd: '/', ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
  return { output, code };
}

/** The user who owns the data: a server could not use what root has written. */
export type Owner = Pick<SpawnOptions, 'uid' | 'gid'>;

/** How to run a command of the program in another folder, with the settings of this one and `own`. */
export function commandIn(folder: string, args: readonly string[], owner: Owner, own: Environment = {}) {
  const settings = settingsArguments.filter((each) => each.startsWith('--settings'));
  const options = { ...owner, cwd: '/', env: environmentWith(own) };
  return [join(folder, 'holdfast'), [...args, ...settings], options] as const;
}

export const runIn = (...where: Parameters<typeof commandIn>): Promise<string> => run(...commandIn(...where));

/** For a command that may fail. */
export const outputIn = (...where: Parameters<typeof commandIn>) => outputOf(...commandIn(...where));

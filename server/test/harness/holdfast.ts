import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { TestServer } from './start-server.ts';

const entry = fileURLToPath(new URL('../../../cli/src/holdfast.ts', import.meta.url));

export interface CommandEnd {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

type Served = Pick<TestServer, 'dataDir'> & { readonly context: Pick<TestServer['context'], 'config'> };

/** Starts the operator's command in its own process, with the settings of a server that continues to run. */
export async function startHoldfast(
  { dataDir, context: { config } }: Served,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
) {
  const { database } = config;
  const url = database.engine === 'postgres' ? database.url : `sqlite:${database.path}`;
  // Its own settings file hides that of a developer.
  const settingsFile = join(dataDir, '.env');
  await writeFile(settingsFile, '');
  const child = spawn(process.execPath, [entry, ...args, '--env-file', settingsFile], {
    cwd: dataDir,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      ...(config.publicUrl !== null && { PUBLIC_URL: config.publicUrl }),
      FILE_ORIGINS: config.fileOrigins.join(','),
      CAPTCHA: 'none',
      ...settings,
      NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../.cache/compiled', import.meta.url)),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended: Promise<CommandEnd> = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([out, err, [code]]) => ({ out, err, code: Number(code) }),
  );
  return { child, ended };
}

/** Runs the same command and waits until it has ended. */
export async function holdfast(server: Served, ...args: readonly string[]): Promise<CommandEnd> {
  return (await startHoldfast(server, args)).ended;
}

/** Returns the output of a command with `--json`, one value for each line, whatever its exit code. */
export async function holdfastJson(server: Served, ...args: readonly string[]): Promise<Record<string, unknown>[]> {
  const { out, err, code } = await holdfast(server, ...args, '--json');
  if (err !== '') throw new Error(`holdfast ${args.join(' ')} ended with ${code} and said: ${err}`);
  return out
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

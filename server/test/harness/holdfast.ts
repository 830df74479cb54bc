import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CommandEnd, HostedCommand } from './command-host.ts';
import type { TestServer } from './start-server.ts';
import { blobSettings } from './test-blobs.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

const entry = fileURLToPath(new URL('../../../cli/src/holdfast.ts', import.meta.url));
const hostEntry = fileURLToPath(new URL('command-host.ts', import.meta.url));
/** An empty settings file hides that of a developer. */
const ownSettings = ['--settings', fileURLToPath(new URL('empty.env', import.meta.url))];

type Served = Pick<TestServer, 'dataDir'> & { readonly context: Pick<TestServer['context'], 'config'> };

/** Starts the operator's command in its own process, with the settings of a server that continues to run. */
export async function startHoldfast(
  server: Served,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
) {
  const child = spawn(process.execPath, [entry, ...args, ...ownSettings], {
    cwd: server.dataDir,
    env: { ...environmentOf(server), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended: Promise<CommandEnd> = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([out, err, [code]]) => ({ out, err, code: Number(code) }),
  );
  return { child, ended };
}

function environmentOf({ dataDir, context: { config } }: Served): Record<string, string> {
  const { database } = config;
  const url = database.engine === 'postgres' ? database.url : `sqlite:${database.path}`;
  return {
    ...programEnvironment,
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    ...(config.publicUrl !== null && { PUBLIC_URL: config.publicUrl }),
    FILE_ORIGINS: config.fileOrigins.join(','),
    CAPTCHA: 'none',
    ...blobSettings(config.blobs),
  };
}

/**
 * Runs the same command and waits until it has ended. A process of this test run has the program loaded and runs one
 * command at a time; others that begin meanwhile get a process of their own.
 */
export async function holdfast(server: Served, ...args: readonly string[]): Promise<CommandEnd> {
  const host = (theHost ??= openHost());
  return host.isBusy ? (await startHoldfast(server, args)).ended : host.run({ args, env: environmentOf(server) });
}

let theHost: ReturnType<typeof openHost> | undefined;

function openHost() {
  let child: ChildProcess | undefined;
  let isBusy = false;
  const start = () => {
    const started = fork(hostEntry, ownSettings, {
      env: programEnvironment,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    // It ends with this process, which need not wait for it.
    started.unref();
    started.channel?.unref();
    started.once('exit', () => (child = undefined));
    return started;
  };
  const ask = async (command: HostedCommand): Promise<CommandEnd> => {
    const host = (child ??= start());
    const ended = new AbortController();
    const { signal } = ended;
    host.send(command);
    try {
      return await Promise.race([
        once(host, 'message', { signal }).then(([end]) => end as CommandEnd),
        once(host, 'exit', { signal }).then(([code]) => {
          throw new Error(`the process that runs commands ended with ${code}`);
        }),
      ]);
    } finally {
      ended.abort();
    }
  };
  return {
    get isBusy() {
      return isBusy;
    },
    async run(command: HostedCommand): Promise<CommandEnd> {
      isBusy = true;
      try {
        return await ask(command);
      } finally {
        isBusy = false;
      }
    },
  };
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

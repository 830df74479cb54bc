import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@holdfast/test-support/free-ports.ts';

/** The text that the tests' clamd treats as malware: a harmless one. */
export const marker = 'HOLDFAST-HARMLESS-MARKER';

export const megabyte = 1024 * 1024;
export const limits = { stream: 24 * megabyte, file: 12 * megabyte };

/** Settings that docs/installation.md requires. */
const settings = ['AlertExceedsMax yes', 'AlertEncrypted yes'];

export interface RunningClamd extends AsyncDisposable {
  /** Values of SCANNER_URL. */
  readonly byPort: string;
  readonly bySocket: string;
  readonly port: number;
  readonly socket: string;
  /** Adds a signature and waits until it takes effect. */
  learn(name: string, text: string): Promise<void>;
  /** Pauses it, with its connections open, until `resume`. */
  stop(): void;
  resume(): void;
  /** Ends it; `start` starts it again with the same address. */
  end(): Promise<void>;
  start(): Promise<void>;
}

/** Debian's clamd with its own folder and signatures. */
export async function startClamd(lines: readonly string[] = settings): Promise<RunningClamd> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-clamd-'));
  await chmod(folder, 0o755);
  const signatures = join(folder, 'signatures');
  await mkdir(signatures);
  const known: string[] = [];
  const learn = async (name: string, text: string) => {
    known.push(`${name}:0:*:${Buffer.from(text).toString('hex')}\n`);
    await writeFile(join(signatures, 'local.ndb'), known.join(''));
  };
  await learn('Holdfast.Test.Marker', marker);
  const port = await freePort();
  const socket = join(folder, 'clamd.sock');
  const configuration = [
    `DatabaseDirectory ${signatures}`,
    `LocalSocket ${socket}`,
    `TCPSocket ${port}`,
    'TCPAddr 127.0.0.1',
    `User ${userInfo().username}`,
    `TemporaryDirectory ${folder}`,
    `StreamMaxLength ${limits.stream}`,
    `MaxFileSize ${limits.file}`,
    'Foreground yes',
    'LogVerbose yes',
    `LogFile ${join(folder, 'clamd.log')}`,
    ...lines,
  ];
  await writeFile(join(folder, 'clamd.conf'), `${configuration.join('\n')}\n`);
  let running = await run(folder);
  return {
    byPort: `clamd://127.0.0.1:${port}`,
    bySocket: `clamd://${socket}`,
    port,
    socket,
    async learn(name, text) {
      await learn(name, text);
      const loaded = running.said('Database correctly reloaded');
      running.child.kill('SIGUSR2');
      await loaded;
    },
    stop: () => void running.child.kill('SIGSTOP'),
    resume: () => void running.child.kill('SIGCONT'),
    end: () => running.end(),
    async start() {
      running = await run(folder);
    },
    async [Symbol.asyncDispose]() {
      await running.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Running {
  readonly child: ChildProcess;
  /** Resolves once a line with the text is printed after this call. */
  said(text: string): Promise<void>;
  end(): Promise<void>;
}

/** Resolves when it responds. */
async function run(folder: string): Promise<Running> {
  const program = existsSync('/usr/sbin/clamd') ? '/usr/sbin/clamd' : 'clamd';
  const child = spawn(program, ['--config-file', join(folder, 'clamd.conf')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  const printed: string[] = [];
  const listeners = new Set<(line: string) => void>();
  const lines = createInterface({ input: child.stdout ?? child.stderr });
  lines.on('line', (line) => {
    printed.push(line);
    for (const listener of listeners) listener(line);
  });
  const said = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const listener = (line: string) => {
        if (!line.includes(text)) return;
        listeners.delete(listener);
        resolve();
      };
      listeners.add(listener);
      lines.once('close', () => reject(new Error(`clamd ended before it said '${text}':\n${printed.join('\n')}`)));
    });
  await said('Self checking every');
  return {
    child,
    said,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

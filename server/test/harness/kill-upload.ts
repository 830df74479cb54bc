import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { SignedIn } from './accounts.ts';
import type { TestServer } from './start-server.ts';
import { blobSettings } from './test-blobs.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

/** Uploads that many times 'x', with the `key` if there is one, in a process that is killed just before its commit. */
export async function killUpload(
  { dataDir, context: { config } }: TestServer,
  { email }: Pick<SignedIn, 'email'>,
  bytes: number,
  key = '',
): Promise<void> {
  const { database } = config;
  const child = spawn(process.execPath, [fileURLToPath(new URL('killed-upload.ts', import.meta.url))], {
    env: {
      ...programEnvironment,
      DATA_DIR: dataDir,
      ...(database.engine === 'postgres' && { DATABASE_URL: database.url }),
      ...blobSettings(config.blobs),
      CAPTCHA: 'none',
      EMAIL: email,
      BYTES: String(bytes),
      KEY: key,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const [said, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ said, signal }).toEqual({ said: '', signal: 'SIGKILL' });
}

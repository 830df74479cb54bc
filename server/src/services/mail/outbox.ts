import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomText } from '../../lib/random-text.ts';
import { compose, type Email, type Mail, type Sender } from './mail.ts';

export interface OutboxOptions {
  readonly folder: string;
  readonly from: Sender;
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
}

export async function openOutbox(options: OutboxOptions): Promise<Mail> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  let opened: ReturnType<typeof openComposer> | undefined;
  return {
    reachesPeople: false,
    async send(email, id) {
      const message = compose(options.from, email, id);
      const composer = await (opened ??= openComposer());
      const composed = await composer.sendMail(message);
      const path = await store(options.folder, composed.message as Buffer);
      options.print(lineFor(email, path, options.isTerminal));
    },
    async [Symbol.asyncDispose]() {
      (await opened)?.close();
    },
  };
}

async function openComposer() {
  const { createTransport } = await import('nodemailer');
  return createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
}

async function store(folder: string, message: Buffer): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const path = join(folder, `${stamp}-${randomText(6)}.eml`);
  const temp = `${path}.part`;
  try {
    {
      await using file = await open(temp, 'wx', 0o600);
      await file.writeFile(message);
      await file.sync();
    }
    await rename(temp, path);
    return path;
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
}

function lineFor(email: Email, path: string, withSecret: boolean): string {
  const secret = withSecret && email.secret !== null ? ` [${email.secret}]` : '';
  return `Email to ${email.to}: ${email.subject}${secret} (${path})`;
}

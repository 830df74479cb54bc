import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { randomText } from '../../lib/random-text.ts';
import { compose, type Sender } from './compose.ts';
import type { Letter, Mail } from './mail.ts';

export interface OutboxOptions {
  readonly folder: string;
  readonly from: Sender;
  readonly print: (line: string) => void;
  /** True when what is printed is read by a person and kept by nobody: then the code or link is printed too. */
  readonly isTerminal: boolean;
}

/** Writes each letter to a file of its own, `.eml`, which any mail program opens. */
export async function openOutbox(options: OutboxOptions): Promise<Mail> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    reachesPeople: false,
    async send(letter, id) {
      const composed = await composer.sendMail(compose(options.from, letter, id));
      const path = await store(options.folder, composed.message as Buffer);
      options.print(lineFor(letter, path, options.isTerminal));
    },
    async [Symbol.asyncDispose]() {
      composer.close();
    },
  };
}

/** Under its final name a letter is always whole. */
async function store(folder: string, message: Buffer): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const path = join(folder, `${stamp}-${randomText(6)}.eml`);
  const temp = `${path}.part`;
  {
    await using file = await open(temp, 'wx', 0o600);
    await file.writeFile(message);
    await file.sync();
  }
  await rename(temp, path);
  return path;
}

function lineFor(letter: Letter, path: string, withSecret: boolean): string {
  const secret = withSecret && letter.secret !== null ? ` [${letter.secret}]` : '';
  return `Mail to ${letter.to}: ${letter.subject}${secret} (${path})`;
}

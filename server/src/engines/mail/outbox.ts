import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { randomText } from '../../lib/random-text.ts';
import type { Letter, Mail } from './mail.ts';

export interface OutboxOptions {
  readonly folder: string;
  /** The sender's name and address. */
  readonly from: { readonly name: string; readonly address: string };
  readonly print: (line: string) => void;
  /** True when what is printed is read by a person and kept by nobody: then the code or link is printed too. */
  readonly isTerminal: boolean;
}

/** Writes each letter to a file of its own, `.eml`, which any mail program opens. */
export async function openOutbox(options: OutboxOptions): Promise<Mail> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(letter) {
      const { to, subject, text, html } = letter;
      const composed = await composer.sendMail({
        from: options.from,
        to: { name: '', address: to },
        subject,
        text,
        html,
      });
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
  return `Mail to ${letter.to}: ${letter.subject}${withSecret ? ` [${letter.secret}]` : ''} (${path})`;
}

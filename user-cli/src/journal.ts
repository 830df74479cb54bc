/**
 * What a run of `upload` has done so far, so that the same command goes on after a kill, within the day that the server
 * keeps an unfinished upload. Deleted when it ends.
 */
import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

interface Line {
  readonly run?: string;
  readonly file?: string;
  readonly upload?: string;
  readonly url?: string;
}

export interface Journal {
  /** The same one for each try of a file in this run. */
  keyOf(file: string): string;
  /** The id of its unfinished upload. */
  begunOf(file: string): string | undefined;
  doneOf(file: string): string | undefined;
  begin(file: string, upload: string): void;
  finish(file: string, url: string): void;
  /** The next run with the same arguments uploads all files again. */
  end(): void;
}

export function openJournal(run: readonly string[]): Journal {
  const folder = join(process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local/state'), 'holdfast-cli');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOld(folder);
  const path = join(folder, `${digest(run.join('\0')).slice(0, 32)}.jsonl`);
  // A new line first: the last one of a killed run may be half of one.
  const add = (line: Line) => appendFileSync(path, `\n${JSON.stringify(line)}`, { mode: 0o600 });
  const lines = readLines(path);
  const begun = new Map(lines.map(({ file, upload }) => [file, upload]));
  const done = new Map(lines.filter(({ url }) => url !== undefined).map(({ file, url }) => [file, url]));
  const id = lines[0]?.run ?? randomUUID();
  if (lines.length === 0) add({ run: id });
  return {
    keyOf: (file) => digest(`${id}\0${file}`),
    begunOf: (file) => begun.get(file),
    doneOf: (file) => done.get(file),
    begin: (file, upload) => add({ file, upload }),
    finish: (file, url) => add({ file, url }),
    end: () => rmSync(path, { force: true }),
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

function removeOld(folder: string): void {
  const dayAgo = Date.now() - 24 * 60 * 60 * 1000;
  for (const name of readdirSync(folder)) if (statSync(join(folder, name)).mtimeMs < dayAgo) rmSync(join(folder, name));
}

function readLines(path: string): Line[] {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}

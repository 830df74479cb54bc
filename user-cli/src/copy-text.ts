import { spawn } from 'node:child_process';
import { once } from 'node:events';

const programs = [
  ['pbcopy'],
  ['clip.exe'],
  ['wl-copy'],
  ['xclip', '-selection', 'clipboard'],
  ['xsel', '--clipboard', '--input'],
] as const;

/** Into the clipboard, by the first program that is there. A link is not lost if there is none. */
export async function copyText(text: string): Promise<void> {
  for (const [name, ...args] of programs) if (await passes(name, args, text)) return;
  process.stderr.write('Not copied: no program for the clipboard was found.\n');
}

async function passes(name: string, args: readonly string[], text: string): Promise<boolean> {
  const child = spawn(name, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => {}).end(text);
  const [code] = (await once(child, 'exit').catch(() => [1])) as [number];
  return code === 0;
}

import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const own = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

beforeAll(async () => {
  execFileSync(process.execPath, ['build.mjs'], { cwd: own });
  folder = await mkdtemp(join(tmpdir(), 'holdfast-completion-'));
  await symlink(join(own, 'dist/holdfast-cli.js'), join(folder, 'holdfast-cli'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What the shell offers for a line, by a script that gets the line and, as a terminal never ends, the text to wait for. */
const shells = {
  bash: `source <(holdfast-cli completion bash)
read -ra COMP_WORDS <<< "$1"
[ "\${1: -1}" = ' ' ] && COMP_WORDS+=('')
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_holdfast_cli
printf '%s\\n' "\${COMPREPLY[@]}"`,
  // A terminal in which the tab key is pressed twice: the second one lists.
  zsh: `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D"
zpty -w shell "source <(holdfast-cli completion zsh); LISTMAX=1000; echo loa''ded"
zpty -r shell text '*loaded*'
zpty -w -n shell "$1"$'\\t\\t'
zpty -r -m shell text "*$2*"
print -r -- $text`,
  fish: `holdfast-cli completion fish | source
complete -C "$argv[1]"`,
} as const;

test.for(Object.keys(shells) as (keyof typeof shells)[])(
  '%s completes commands and options',
  async (shell, { skip }) => {
    const env = { ...process.env, HOME: folder, PATH: `${folder}${delimiter}${process.env['PATH']}` };
    const offers = async (line: string, wanted: string) => {
      const args = shell === 'fish' ? ['-N', '-c', shells.fish, line] : ['-c', shells[shell], shell, line, wanted];
      return (await promisify(execFile)(shell, args, { cwd: folder, env })).stdout;
    };
    try {
      await promisify(execFile)(shell, ['-c', 'true']);
    } catch {
      skip(`${shell} is not installed`);
    }
    expect(await offers('holdfast-cli u', 'upload')).toMatch(/upload/);
    expect(await offers('holdfast-cli upload --fav', '--favorite')).toMatch(/--favorite/);
  },
);

/** The shell commands of README.md and docs are run as they are written, each page in a machine of its own. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Block, blocksOf } from '../../server/test/harness/documented-blocks.ts';
import { commandsOf, type PagePlan, plans, untilListening, withRelease } from './documented-commands.ts';
import { runInThrowawayMachine } from './throwaway-machine.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Milliseconds. A page starts a server and up to a dozen commands; updates and the first start in README.md take longest. */
const timeout = 600_000;

const withCommands = pages.filter((page) => commandsOf(page).length > 0);
const planOf = (page: string): PagePlan => plans[page] ?? {};
const isNamedBy = (beginnings: readonly string[], { text }: Block) => beginnings.some((each) => text.startsWith(each));
const reasonsOf = (page: string) => Object.keys(planOf(page).notRun ?? {});
const runOn = (page: string) => commandsOf(page).filter((block) => !isNamedBy(reasonsOf(page), block));

/** The block without a language that follows a block at once shows its output. */
function outputShownFor({ page, line, text }: Block): string | undefined {
  const afterFence = line + text.split('\n').length + 1;
  return blocksOf(page).find((each) => each.language === '' && each.line === afterFence)?.text;
}

const marker = (at: number) => `<block ${at}>`;

/** One script for the page: a folder that one block changes to is that of the next, as in a terminal. */
function scriptFor(page: string): string {
  const { release, before = '', beforeBlock = {}, serving = [] } = planOf(page);
  const steps = runOn(page).map((block, at) => {
    const [, preparation = ''] = Object.entries(beforeBlock).find(([begins]) => block.text.startsWith(begins)) ?? [];
    const path = `/opt/block-${at}`;
    const serves = isNamedBy(serving, block);
    return [
      `block=${path}`,
      `cat > "$block" <<'end of the block'\n${block.text}end of the block`,
      preparation,
      `echo '${marker(at)}'; echo '${page}, line ${block.line}' >&2`,
      serves ? `(. "$block") > /var/log/holdfast.log 2>&1 &${untilListening}` : '. "$block"',
    ].join('\n');
  });
  const node = 'NODE=$(echo /opt/holdfast/node_modules/node-linux-*/bin/node)';
  return [`set -e -o pipefail`, node, release ? withRelease : '', before, ...steps].join('\n');
}

describe.skipIf(process.getuid?.() !== 0)('in a throwaway machine, as root,', () => {
  beforeAll(() => promisify(execFile)('npm', ['run', 'release', '--', '--arch', 'x64'], { cwd: root }), timeout);

  test.for(withCommands.filter((page) => runOn(page).length > 0))(
    'the commands of %s succeed, with the output that the page shows',
    { timeout },
    async (page, { signal }) => {
      const { code, out, err } = await runInThrowawayMachine(scriptFor(page), signal);
      expect(code, `${out}\n${err}`).toBe(0);
      for (const [at, block] of runOn(page).entries()) {
        const shown = outputShownFor(block);
        const [, output = ''] = out.split(`${marker(at)}\n`);
        const [own = ''] = output.split(marker(at + 1));
        expect(own, block.text).not.toContain('"success":false');
        if (shown !== undefined) expect(own.replaceAll('\r', '').trim(), block.text).toBe(shown.trim());
      }
    },
  );
});

import type { Finding, Checked } from '@holdfast/server/src/maintenance/fsck/inspection.ts';
import { fsck, type FsckSummary } from '@holdfast/server/src/maintenance/fsck/fsck.ts';
import { recordAction } from '@holdfast/server/src/accounts/record-action.ts';
import type { Command } from 'commander';
import { describe } from '../describe.ts';
import { Findings } from '../explain.ts';
import { noMemory } from '../no-memory.ts';
import { openFor } from '../open-for.ts';
import { count } from '../words.ts';

export function addFsck(program: Command): void {
  describe(program.command('fsck'), {
    does: 'Check that files, bytes, sums, names and the database itself are as they must be.',
    more:
      'It changes nothing unless --repair is given, except that --scrub moves damaged bytes aside, so that nobody downloads\n' +
      'them. The server may go on working. With --json each finding is a line and the summary is the last one. It ends with\n' +
      '1 when something was found that is not mended.',
    examples: [
      ['fsck', 'says what is wrong'],
      ['fsck --scrub', 'reads all bytes and looks up each row in each index as well: this takes long'],
      ['fsck --repair', 'mends sums, counts, strays and files that must not be served'],
    ],
  })
    .option('--repair', 'mend what can be mended without losing anything')
    .option(
      '--scrub',
      'read all bytes, compare their SHA-256, move aside what differs, and check the database thoroughly',
    )
    .action(async ({ repair = false, scrub = false }: { repair?: boolean; scrub?: boolean }, command: Command) => {
      await using run = await openFor(command);
      const { context, actor, signal, out, progress } = run;
      if (repair) await recordAction(context, actor, { subject: 'everything', details: { repair, scrub } });
      const summary = await fsck({
        context,
        actor,
        memory: noMemory,
        repair,
        scrub,
        signal,
        tell: (finding) => out.tell({ finding }, textOf(finding, repair)),
        progress: (checked) => progress.show(progressOf(checked)),
      });
      progress.end();
      out.say({ summary }, summaryOf(summary));
      if (summary.findings > summary.repaired) throw new Findings();
    });
}

const textOf = ({ kind, says, repaired }: Finding, repair: boolean) =>
  `${kind}: ${says}${repair ? (repaired ? ' Mended.' : ' Not mended.') : ''}`;

const progressOf = ({ blobs, accounts, stored, files }: Readonly<Record<Checked, number>>) =>
  [count(blobs, 'blob'), count(accounts, 'account'), count(stored, 'stored blob'), count(files, 'file')].join(', ');

function summaryOf({ checked, findings, repaired, unchecked }: FsckSummary): string {
  const found = findings === 0 ? 'all is well' : count(findings, 'finding');
  const mended = repaired === 0 ? '' : `, ${repaired} mended`;
  return [...unchecked, `Checked ${progressOf(checked)}: ${found}${mended}.`].join('\n');
}

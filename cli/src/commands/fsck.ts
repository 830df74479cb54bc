import type { Finding } from '@holdfast/server/src/operator/fsck/inspection.ts';
import { fsck, type FsckSummary } from '@holdfast/server/src/operator/fsck/fsck.ts';
import { recordAction } from '@holdfast/server/src/operator/record-action.ts';
import type { Command } from 'commander';
import { describeCommand } from '../describe.ts';
import { Findings } from '../explain.ts';
import { withRun } from '../open-command.ts';
import { count } from '../format.ts';

export function addFsck(program: Command): void {
  describeCommand(program.command('fsck'), {
    does: 'Check the database, the counters and the bytes of all files.',
    more:
      'It changes nothing unless --repair is given, except that --scrub moves damaged bytes aside, so that they are not\n' +
      'served. The server may keep running. With --json each finding is a line and the summary is the last one. The exit\n' +
      'code is 1 if something was found and not repaired.',
    examples: [
      ['fsck', 'reports all findings'],
      ['fsck --scrub', 'reads all bytes as well: this takes long'],
      ['fsck --repair', 'repairs the counters'],
    ],
  })
    .option('--repair', 'repair what can be repaired without losing anything')
    .option('--scrub', 'read all bytes, compare their SHA-256, and move aside what differs')
    .action(
      withRun(
        async (
          { context, actor, signal, out, progress },
          { repair = false, scrub = false }: { repair?: boolean; scrub?: boolean },
        ) => {
          if (repair) await recordAction(context, actor, { subject: 'everything', details: { repair, scrub } });
          const summary = await fsck({
            context,
            actor,
            repair,
            scrub,
            signal,
            tell: (finding) => out.tell({ finding }, textOf(finding, repair)),
            progress: (checked) => progress.show(progressOf(checked)),
          });
          progress.end();
          out.say({ summary }, summaryOf(summary));
          if (summary.findings > summary.repaired) throw new Findings();
        },
      ),
    );
}

const textOf = ({ kind, says, repaired }: Finding, repair: boolean) =>
  `${kind}: ${says}${repair ? (repaired ? ' Repaired.' : ' Not repaired.') : ''}`;

const progressOf = ({ blobs, accounts }: FsckSummary['checked']) =>
  `${count(blobs, 'blob')}, ${count(accounts, 'account')}`;

function summaryOf({ checked, findings, repaired, unchecked }: FsckSummary): string {
  const found = findings === 0 ? 'all is well' : count(findings, 'finding');
  const mended = repaired === 0 ? '' : `, ${repaired} repaired`;
  return [...unchecked, `Checked ${progressOf(checked)}: ${found}${mended}.`].join('\n');
}

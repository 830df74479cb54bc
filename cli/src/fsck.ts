import { recordAction } from '@holdfast/server/src/storage/db/record-action.ts';
import { fsck } from '@holdfast/server/src/operator/fsck/fsck.ts';
import type { Finding } from '@holdfast/server/src/operator/fsck/fsck.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { Findings } from './explain.ts';
import { count } from './format.ts';
import { withRun } from './run.ts';

export function addFsck(program: Command): void {
  addCommand(program, 'fsck', {
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
            progress: (checked) => progress.show(checkedText(checked)),
          });
          progress.end();
          const { checked, findings, repaired, unchecked } = summary;
          const found = findings === 0 ? 'all is well' : count(findings, 'finding');
          const mended = repaired === 0 ? '' : `, ${repaired} repaired`;
          out.say({ summary }, [...unchecked, `Checked ${checkedText(checked)}: ${found}${mended}.`].join('\n'));
          if (findings > repaired) throw new Findings();
        },
      ),
    );
}

const textOf = ({ kind, says, repaired }: Finding, repair: boolean) =>
  `${kind}: ${says}${repair ? (repaired ? ' Repaired.' : ' Not repaired.') : ''}`;

const checkedText = ({ blobs, accounts }: { readonly blobs: number; readonly accounts: number }) =>
  `${count(blobs, 'blob')}, ${count(accounts, 'account')}`;

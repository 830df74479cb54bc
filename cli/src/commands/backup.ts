import type { BlobId } from '@holdfast/server/src/storage/blobs/blobs.ts';
import { backUp } from '@holdfast/server/src/operator/backup/back-up.ts';
import type { CopiedBlobs } from '@holdfast/server/src/operator/backup/copy-blobs.ts';
import { writeDeletions } from '@holdfast/server/src/operator/backup/deletions.ts';
import { recordAction } from '@holdfast/server/src/operator/record-action.ts';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { describeCommand } from '../describe.ts';
import { Findings } from '../explain.ts';
import { count } from '../format.ts';
import { openCommand } from '../open-command.ts';
import { pathFromCaller } from '../settings-folder.ts';

interface Options {
  readonly bytes: boolean;
  readonly deletions?: boolean;
  readonly keep: number;
}

export function addBackup(program: Command): void {
  describeCommand(program.command('backup'), {
    does: 'Add a backup of the service to a folder while the server runs.',
    more:
      'It is a consistent copy of the database, with the secret key and the stored bytes. A folder with earlier\n' +
      'backups gets only the bytes that it lacks.',
    examples: [
      ['backup /backup', 'adds a backup, and removes those that are older than 30 days'],
      ['backup /backup --deletions', 'records closed accounts and blocked files for a restore; run it often'],
    ],
  })
    .argument('<folder>', 'where the backups are')
    .option('--no-bytes', 'copy the database alone, when the storage is backed up in another way')
    .option('--deletions', 'write only the list of closed accounts and blocked files')
    .option('--keep <days>', 'how long earlier backups are kept', wholeNumber, 30)
    .action(async (folder: string, options: Options, command: Command) => {
      await using run = await openCommand(command);
      const { context, actor, signal, out, progress } = run;
      const root = pathFromCaller(folder);
      if (options.deletions) {
        const listed = await writeDeletions(context, root);
        return out.say({ folder: root, deletions: listed }, `Closed accounts and blocked files listed: ${listed}.`);
      }
      const { path, manifest, blobs } = await backUp(context, root, {
        signal,
        withBytes: options.bytes,
        keepDays: options.keep,
        onRows: (rows) => progress.show(count(rows, 'row')),
        onBlobs: (done) => progress.show(count(done, 'blob')),
      });
      progress.end();
      await recordAction(context, actor, { subject: path, details: { bytes: options.bytes } });
      nameLost(blobs);
      out.say({ folder: path, ...manifest, blobs }, summary(path, blobs));
      if (blobs && blobs.missing.length + blobs.damaged.length > 0) throw new Findings();
    });
}

/** `--json` names all of them. */
const mostNamed = 20;

/** Names blobs that were not copied. */
export function nameLost(blobs: CopiedBlobs | null): void {
  const { missing = [], damaged = [] } = blobs ?? {};
  const name = (how: string, ids: readonly BlobId[]) => {
    for (const id of ids.slice(0, mostNamed)) console.error(`Not copied, ${how}: ${id}`);
    if (ids.length > mostNamed) console.error(`Not copied, ${how}: ${count(ids.length - mostNamed, 'other')}`);
  };
  name('missing', missing);
  name('damaged', damaged);
}

/** States what was copied, and what was not. */
export function summaryOf({ copied, kept, missing, damaged }: CopiedBlobs): string {
  const lost = missing.length + damaged.length;
  const sentence = `Blobs copied: ${copied.toLocaleString('en')}; there before: ${kept.toLocaleString('en')}.`;
  return lost === 0 ? sentence : `${sentence} Missing or damaged: ${lost.toLocaleString('en')}; see holdfast fsck.`;
}

const summary = (path: string, blobs: CopiedBlobs | null) =>
  `The backup is ${path}.${blobs ? ` ${summaryOf(blobs)}` : ''}`;

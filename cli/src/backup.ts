import { recordAction } from '@holdfast/server/src/storage/db/record-action.ts';
import { backUp } from '@holdfast/server/src/operator/backup/back-up.ts';
import type { CopiedBlobs } from '@holdfast/server/src/operator/backup/copy-blobs.ts';
import { writeDeletions } from '@holdfast/server/src/operator/backup/deletions.ts';
import { findBackup } from '@holdfast/server/src/operator/backup/manifest.ts';
import { restoreBackup } from '@holdfast/server/src/operator/backup/restore.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { wholeNumber } from './arguments.ts';
import { Findings } from './explain.ts';
import { count, time } from './format.ts';
import { openCommand, type Run, withRun } from './run.ts';
import { pathFromCaller } from './settings-folder.ts';

export function addBackup(program: Command): void {
  addCommand(program, 'backup', {
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
    .action(
      withRun(async (run, folder: string, options: { bytes: boolean; deletions?: true; keep: number }) => {
        const { context, actor, out } = run;
        const root = pathFromCaller(folder);
        if (options.deletions) {
          const listed = await writeDeletions(context, root);
          return out.say({ folder: root, deletions: listed }, `Closed accounts and blocked files listed: ${listed}.`);
        }
        const { path, manifest, blobs } = await backUp(context, root, {
          withBytes: options.bytes,
          keepDays: options.keep,
          ...progressOf(run),
        });
        await recordAction(context, actor, { subject: path, details: { bytes: options.bytes } });
        sayCopied(run, { folder: path, ...manifest, blobs }, `The backup is ${path}.`);
      }),
    );
}

export function addRestore(program: Command): void {
  addCommand(program, 'restore', {
    does: 'Restore a backup into an empty database, and the bytes that the storage lacks.',
    more:
      'Accounts closed and files blocked since stay so, as listed beside the backups. Everything else is as it was in\n' +
      'the backup, keys and passwords too. All sessions end. A file without bytes stays listed, and fsck names it. A\n' +
      'restore that was stopped can be repeated.',
    examples: [
      ['restore /backup', 'restores the newest backup'],
      ['restore /backup/2026-11-21T03-17-00.000Z', 'restores an earlier one'],
    ],
  })
    .argument('<folder>', 'the folder of the backups, or one of them')
    .action(async (folder: string, _options: unknown, command: Command) => {
      const backup = await findBackup(pathFromCaller(folder));
      await using run = await openCommand(command, 'migrate');
      const { deletions, blobs } = await restoreBackup(run.context, backup, { actor: run.actor, ...progressOf(run) });
      const rows =
        deletions === null
          ? 'The rows of the backup were restored before, and were not changed.'
          : `The service is as it was at ${time(backup.manifest.taken_at)}: keys and passwords that were changed since ` +
            `work again. Accounts closed and digests blocked since: ${deletions.toLocaleString('en')}.`;
      sayCopied(run, { folder: backup.path, ...backup.manifest, deletions, blobs }, rows);
    });
}

const progressOf = ({ signal, progress }: Run) => ({
  signal,
  onRows: (rows: number) => progress.show(count(rows, 'row')),
  onBlobs: (done: number) => progress.show(count(done, 'blob')),
});

/** `--json` names all of them. */
const mostNamed = 20;

/** States what was copied, and names what was not. */
function sayCopied(
  { out, progress }: Run,
  json: Readonly<Record<string, unknown>> & { readonly blobs: CopiedBlobs | null },
  text: string,
): void {
  const { missing = [], damaged = [], problems = [] } = json.blobs ?? {};
  progress.end();
  for (const problem of problems.slice(0, mostNamed)) console.error(problem);
  for (const [how, ids] of Object.entries({ missing, damaged })) {
    for (const id of ids.slice(0, mostNamed)) console.error(`Not copied, ${how}: ${id}`);
    if (ids.length > mostNamed) console.error(`Not copied, ${how}: ${count(ids.length - mostNamed, 'other')}`);
  }
  const lost = missing.length + damaged.length + problems.length;
  const sentences = [
    text,
    ...(json.blobs ? [copiedText(json.blobs)] : []),
    ...(lost === 0 ? [] : [`Missing or damaged: ${lost.toLocaleString('en')}; see holdfast fsck.`]),
  ];
  out.say(json, sentences.join(' '));
  if (lost > 0) throw new Findings();
}

export const copiedText = ({ copied, kept }: CopiedBlobs): string =>
  `Blobs copied: ${copied.toLocaleString('en')}; there before: ${kept.toLocaleString('en')}.`;

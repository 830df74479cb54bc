import { recordAction } from '@holdfast/server/src/operator/record-action.ts';
import type { Context } from '@holdfast/server/src/context.ts';
import { type CopiedBlobs, copyBlobs } from '@holdfast/server/src/operator/backup/copy-blobs.ts';
import { writeDeletions } from '@holdfast/server/src/operator/backup/deletions.ts';
import { makeBackup } from '@holdfast/server/src/operator/backup/make-backup.ts';
import { unfinishedBackups } from '@holdfast/server/src/operator/backup/unfinished-backups.ts';
import type { Command } from 'commander';
import { describeCommand } from '../describe.ts';
import { Findings, WrongUsage } from '../explain.ts';
import { openCommand, type Run } from '../open-command.ts';
import { openBackupBlobsToWrite } from '../open-backup-blobs.ts';
import { pathFromCaller } from '../settings-folder.ts';
import { count } from '../format.ts';

interface Options {
  readonly blobs?: string;
  readonly deletions?: boolean;
}

export function addBackup(program: Command): void {
  describeCommand(program.command('backup'), {
    does: 'Write a consistent copy of the database into a new folder while the server runs.',
    more:
      'The folder also gets the secret key, and blobs.txt: the stored bytes that the copy needs, as paths below the folder ' +
      'of the storage. Deleted bytes stay for a day, so copy them within that time, with --blobs or with rsync --files-from.',
    examples: [
      ['backup /backup/monday --blobs /backup/blobs', 'copies the database, and the bytes that /backup/blobs lacks'],
      ['backup /backup/monday --deletions', 'records beside that backup what was deleted and changed since'],
    ],
  })
    .argument('<folder>', 'a folder that does not exist yet')
    .option('--blobs <folder>', 'also copy the bytes that this folder lacks; one folder serves all backups')
    .option('--deletions', 'write only the list of what was deleted and changed since this backup; run it often')
    .action(async (folder: string, options: Options, command: Command) => {
      if (options.deletions && options.blobs !== undefined)
        throw new WrongUsage('Use --blobs or --deletions, not both.');
      await using run = await openCommand(command);
      const target = pathFromCaller(folder);
      if (options.deletions) return await noteDeletions(run, target);
      const { progress, signal } = run;
      const onProgress = (rows: number) => progress.show(`${rows.toLocaleString('en')} rows`);
      const manifest = await makeBackup(run.context, target, { signal, onProgress });
      const blobs = options.blobs === undefined ? null : await copyTo(run, options.blobs);
      await recordAction(run.context, run.actor, { subject: target, details: { blobs: options.blobs ?? null } });
      run.out.say({ folder: target, ...manifest, copied: blobs }, summary(target, manifest.blobs, blobs));
      await tellUnfinished(target);
      if (blobs && blobs.missing.length + blobs.damaged.length > 0) throw new Findings();
    });
}

/** Warns about killed backups, which leave an unwanted copy of the whole service. */
async function tellUnfinished(target: string): Promise<void> {
  for (const path of await unfinishedBackups(target))
    console.error(`${path} is a backup that was killed, or is still being written. If none runs, remove it.`);
}

async function noteDeletions({ context, out }: Run, folder: string): Promise<void> {
  const deletions = await writeDeletions(context, folder);
  out.say(
    { folder, deletions },
    `${deletions.toLocaleString('en')} deletions and changes since the backup are recorded in ${folder}.`,
  );
}

async function copyTo({ context, progress, signal }: Run, folder: string): Promise<CopiedBlobs> {
  await using pool = await openBackupBlobsToWrite(folder);
  const onProgress = (blobs: number) => progress.show(`${blobs.toLocaleString('en')} blobs`);
  const copied = await copyBlobs(context, context.blobs, pool, { signal, onProgress });
  // Leaves out blobs purged during the copy: they are no longer needed, and a restore drops the files that needed them.
  return { ...copied, missing: await stillNeeded(context, copied.missing) };
}

async function stillNeeded({ db }: Context, missing: CopiedBlobs['missing']): Promise<CopiedBlobs['missing']> {
  const needed = new Set<string>();
  for (let from = 0; from < missing.length; from += idsPerStatement) {
    const some = missing.slice(from, from + idsPerStatement);
    const rows = await db
      .selectFrom('blobs')
      .select('id')
      .where('id', 'in', some)
      .where((eb) => eb.or([eb('used_by', '>', 0), eb('held_for', 'is not', null)]))
      .execute();
    for (const { id } of rows) needed.add(id);
  }
  return missing.filter((id) => needed.has(id));
}

const idsPerStatement = 500;

function summary(folder: string, needed: { count: number }, blobs: CopiedBlobs | null): string {
  const begin = `The database is in ${folder}.`;
  if (!blobs) return `${begin} Its files need ${count(needed.count, 'blob')}: blobs.txt lists them.`;
  const copied = `Blobs copied: ${blobs.copied.toLocaleString('en')}; there before: ${blobs.kept.toLocaleString('en')}.`;
  const { missing, damaged } = blobs;
  const lost =
    missing.length === 0
      ? ''
      : ` ${missing.length.toLocaleString('en')} are missing in the storage: run holdfast fsck.`;
  const spoilt =
    damaged.length === 0
      ? ''
      : ` ${damaged.length.toLocaleString('en')} are damaged in the storage and were not copied: run holdfast fsck --scrub.`;
  return `${begin} ${copied}${lost}${spoilt}`;
}

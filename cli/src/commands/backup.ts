import { recordAction } from '@holdfast/server/src/operator/record-action.ts';
import type { BlobId } from '@holdfast/server/src/engines/blobs/blobs.ts';
import { type BackedUp, backUp } from '@holdfast/server/src/operator/backup/back-up.ts';
import type { CopiedBlobs } from '@holdfast/server/src/operator/backup/copy-blobs.ts';
import { writeDeletions } from '@holdfast/server/src/operator/backup/deletions.ts';
import { makeBackup } from '@holdfast/server/src/operator/backup/make-backup.ts';
import type { Manifest } from '@holdfast/server/src/operator/backup/manifest.ts';
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
      'of the storage. --blobs copies these bytes, and none are purged until it has. To copy them in another way, as with\n' +
      'rsync --files-from, do it within a day: deleted bytes are kept for that long.',
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
      const { manifest, copied: blobs } =
        options.blobs === undefined
          ? { manifest: await backUpRows(run, target), copied: null }
          : await backUpWith(run, target, options.blobs);
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

function backUpRows({ context, progress, signal }: Run, target: string): Promise<Manifest> {
  const onProgress = (rows: number) => progress.show(`${rows.toLocaleString('en')} rows`);
  return makeBackup(context, target, { signal, onProgress });
}

/** Opens the pool first, so that a wrong folder is found before any work is done. */
async function backUpWith({ context, progress, signal }: Run, target: string, folder: string): Promise<BackedUp> {
  await using pool = await openBackupBlobsToWrite(folder);
  const onProgress = (rows: number) => progress.show(`${rows.toLocaleString('en')} rows`);
  const onBlobs = (blobs: number) => progress.show(`${blobs.toLocaleString('en')} blobs`);
  const made = await backUp(context, target, pool, { signal, onProgress, onBlobs });
  progress.end();
  nameLost('missing in the storage', made.copied.missing);
  nameLost('damaged in the storage', made.copied.damaged);
  return made;
}

/** `--json` names all of them. */
const mostNamed = 20;

function nameLost(how: string, ids: readonly BlobId[]): void {
  for (const id of ids.slice(0, mostNamed)) console.error(`Not copied, ${how}: ${id}`);
  const others = ids.length - mostNamed;
  if (others > 0) console.error(`Not copied, ${how}: ${others.toLocaleString('en')} others`);
}

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

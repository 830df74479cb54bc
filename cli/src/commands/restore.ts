import { recordAction } from '@holdfast/server/src/operator/record-action.ts';
import { loadConfig } from '@holdfast/server/src/config/read-environment.ts';
import type { BlobId } from '@holdfast/server/src/engines/blobs/blobs.ts';
import { copyBlobs } from '@holdfast/server/src/operator/backup/copy-blobs.ts';
import { bringBackDropped, dropMissing, limitDropping } from '@holdfast/server/src/operator/backup/drop-missing.ts';
import { findMissing } from '@holdfast/server/src/operator/backup/find-missing.ts';
import { readManifest } from '@holdfast/server/src/operator/backup/manifest.ts';
import { neededBlobs } from '@holdfast/server/src/operator/backup/needed-blobs.ts';
import { placeSecret } from '@holdfast/server/src/operator/backup/place-secret.ts';
import { beginDaysAnew, restoreBackup } from '@holdfast/server/src/operator/backup/restore-backup.ts';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { confirm } from '../confirm.ts';
import { describeCommand } from '../describe.ts';
import { Findings, Refused } from '../explain.ts';
import { openCommand, type Run } from '../open-command.ts';
import { openBackupBlobsToRead } from '../open-backup-blobs.ts';
import { pathFromCaller } from '../settings-folder.ts';
import { count } from '../format.ts';

interface Options {
  readonly blobs?: string;
  readonly dropMissing?: boolean;
  readonly allow?: number;
  readonly yes?: boolean;
}

export function addRestore(program: Command): void {
  describeCommand(program.command('restore'), {
    does: 'Restore a backup into a database without accounts.',
    more:
      'The list of deletions beside the backup is applied again: deleted files stay deleted, and replaced keys\n' +
      'and passwords stay replaced. All sessions end. If the bytes of a file are in neither storage, it was\n' +
      'deleted and purged after the backup, or its bytes are still to be copied: --drop-missing deletes such\n' +
      'files. A restore that was stopped, or lacks bytes, can be run again; with --blobs it also restores\n' +
      'dropped files whose bytes are there now.',
    examples: [
      ['restore /backup/monday --blobs /backup/blobs', 'restores the database, and copies the missing bytes'],
      ['restore /backup/monday --drop-missing', 'deletes files whose bytes are missing from the storage'],
    ],
  })
    .argument('<folder>', 'a folder that holdfast backup made')
    .option('--blobs <folder>', 'copy the bytes that the storage lacks from this folder')
    .option('--drop-missing', 'delete files whose bytes are not there')
    .option(
      '--allow <blobs>',
      'allow up to this many missing blobs, where more than one in twenty are missing',
      wholeNumber,
    )
    .option('--yes', 'do not ask before files are deleted')
    .action(async (folder: string, options: Options, command: Command) => {
      const source = pathFromCaller(folder);
      await readManifest(source);
      await placeSecret(loadConfig(), source, () => hasNoAccounts(command));
      await using run = await openCommand(command, 'migrate');
      const { actor, context, signal, progress } = run;
      const onProgress = (rows: number) => progress.show(`${rows.toLocaleString('en')} rows`);
      const restored = await restoreBackup(context, source, { actor, signal, onProgress });
      const { deletions, manifest, wasBack, hasOtherList } = restored;
      const bytes = await bringBytes(run, options.blobs, wasBack);
      progress.end();
      const dropped = options.dropMissing ? await drop(run, source, bytes, options) : 0;
      const { missing, damaged, back, late } = bytes;
      const left = options.dropMissing ? 0 : missing.length;
      run.out.say(
        { ...manifest, deletions, was_back: wasBack, missing: missing.length, damaged, dropped, back, late },
        summary({ deletions, wasBack, hasOtherList, dropped, back, late, left, damaged: damaged.length }),
      );
      if (left + damaged.length + late > 0 || hasOtherList) throw new Findings();
    });
}

async function hasNoAccounts(command: Command): Promise<boolean> {
  await using run = await openCommand(command, 'migrate');
  return !(await run.context.db.selectFrom('accounts').select('id').limit(1).executeTakeFirst());
}

interface Bytes {
  readonly needed: number;
  readonly missing: readonly BlobId[];
  /** Blobs whose bytes in the backup's folder do not match their SHA-256. */
  readonly damaged: readonly BlobId[];
  /** Files dropped by an earlier restore whose bytes are there now. */
  readonly back: number;
  /** Files that only another restore can bring back. */
  readonly late: number;
}

async function bringBytes({ context, signal, progress }: Run, folder: string | undefined, wasBack: boolean) {
  const onProgress = (blobs: number) => progress.show(`${blobs.toLocaleString('en')} blobs`);
  if (folder === undefined)
    return { ...(await findMissing(context, { signal, onProgress })), damaged: [], back: 0, late: 0 } satisfies Bytes;
  await using pool = await openBackupBlobsToRead(folder);
  const { back, late } = wasBack ? await bringBackDropped(context, pool, signal) : { back: 0, late: 0 };
  const { copied, kept, missing, damaged } = await copyBlobs(neededBlobs(context.db), pool, context.blobs, {
    signal,
    onProgress,
  });
  if (wasBack && copied > 0) await beginDaysAnew(context, context.clock.now());
  return { needed: copied + kept + missing.length + damaged.length, missing, damaged, back, late } satisfies Bytes;
}

/** Deletes the files without bytes, but never all files of a service whose bytes are merely in another place. */
async function drop(
  { context, actor, signal }: Run,
  source: string,
  { needed, missing }: Bytes,
  { allow, yes = false }: Options,
): Promise<number> {
  if (missing.length === 0) return 0;
  if (missing.length === needed)
    throw new Refused(
      `None of the ${count(needed, 'blob')} that the files need is there, so nothing was deleted. ` +
        'Copy them into the storage, or name their folder with --blobs.',
    );
  limitDropping(missing.length, needed, allow ?? null);
  const warning = `${count(missing.length, 'blob')} of ${needed.toLocaleString('en')} are missing. The files that need them are deleted.`;
  await confirm(warning, 'drop', { yes, signal });
  const dropped = await dropMissing(context, missing);
  if (dropped > 0) await recordAction(context, actor, { subject: source, details: { dropped } });
  return dropped;
}

interface Done {
  readonly deletions: number | null;
  readonly wasBack: boolean;
  readonly dropped: number;
  readonly hasOtherList: boolean;
  readonly back: number;
  readonly late: number;
  readonly left: number;
  readonly damaged: number;
}

function summary({ deletions, wasBack, hasOtherList, dropped, back, late, left, damaged }: Done): string {
  const number = (n: number) => n.toLocaleString('en');
  const sentences = [
    wasBack ? 'The rows of the backup were already restored, and were not changed.' : 'The backup is restored.',
    hasOtherList
      ? 'The list of deletions beside the backup has changed since the first restore and was not applied. To apply it, restore into another, empty database.'
      : deletions === null
        ? 'There is no list of later deletions beside it.'
        : `Later deletions and changes that were applied again: ${number(deletions)}.`,
    ...(back === 0 ? [] : [`Files that were dropped before and have their bytes again: ${number(back)}.`]),
    ...(late === 0
      ? []
      : [
          `Files that were dropped too long ago to be brought back here, although their bytes are there: ${number(late)}. Restore into another, empty database.`,
        ]),
    ...(dropped === 0 ? [] : [`Files without bytes that were deleted: ${number(dropped)}.`]),
    ...(left === 0
      ? []
      : [
          `Blobs that are missing: ${number(left)}. Copy them into the storage, or give the command again with --drop-missing; holdfast fsck says which files need them.`,
        ]),
    ...(damaged === 0
      ? []
      : [
          `Blobs that are damaged in the folder of the backup, and were not copied: ${number(damaged)}. Bring them from another copy; holdfast fsck says which files need them.`,
        ]),
  ];
  return sentences.join(' ');
}

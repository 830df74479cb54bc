import { recordAction } from '@holdfast/server/src/accounts/record-action.ts';
import { loadConfig } from '@holdfast/server/src/config.ts';
import type { BlobId } from '@holdfast/server/src/engines/blobs/blobs.ts';
import { createBrake } from '@holdfast/server/src/maintenance/brake.ts';
import { copyBlobs } from '@holdfast/server/src/maintenance/backup/copy-blobs.ts';
import { dropMissing } from '@holdfast/server/src/maintenance/backup/drop-missing.ts';
import { findMissing } from '@holdfast/server/src/maintenance/backup/find-missing.ts';
import { readManifest } from '@holdfast/server/src/maintenance/backup/manifest.ts';
import { placeSecret } from '@holdfast/server/src/maintenance/backup/place-secret.ts';
import { restoreBackup } from '@holdfast/server/src/maintenance/backup/restore-backup.ts';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { describe } from '../describe.ts';
import { Findings } from '../explain.ts';
import { openFor, type Run } from '../open-for.ts';
import { openPoolToRead } from '../open-pool.ts';
import { pathFromCaller } from '../settings-folder.ts';

interface Options {
  readonly blobs?: string;
  readonly dropMissing?: boolean;
  readonly allow?: number;
}

export function addRestore(program: Command): void {
  describe(program.command('restore'), {
    does: 'Bring a backup back, into a database without accounts.',
    more:
      'What the list of deletions beside the backup names stays deleted. Nobody is signed in afterwards. A file whose bytes ' +
      'are in neither storage was deleted and purged after the backup, or its bytes are still to be copied: with ' +
      '--drop-missing such files are deleted. What was stopped half-way, or lacks bytes, can be given again.',
    examples: [
      ['restore /backup/monday --blobs /backup/blobs', 'the database, and the bytes that the storage has not'],
      ['restore /backup/monday --drop-missing', 'the bytes are in place, what has none is deleted'],
    ],
  })
    .argument('<folder>', 'a folder that holdfast backup made')
    .option('--blobs <folder>', 'copy the bytes that the storage has not from this folder')
    .option('--drop-missing', 'delete files whose bytes are not there')
    .option(
      '--allow <blobs>',
      'how many missing blobs are no mistake, where they are more than one in twenty',
      wholeNumber,
    )
    .action(async (folder: string, options: Options, command: Command) => {
      const source = pathFromCaller(folder);
      await readManifest(source);
      await placeSecret(loadConfig(), source);
      await using run = await openFor(command, 'migrate');
      const { actor, context, signal, progress } = run;
      const onProgress = (rows: number) => progress.show(`${rows.toLocaleString('en')} rows`);
      const { deletions, manifest, wasBack } = await restoreBackup(context, source, { actor, signal, onProgress });
      const missing = await bringBytes(run, options.blobs);
      if (options.dropMissing) createBrake(options.allow ?? null).check(missing.length, manifest.blobs.count);
      const dropped = options.dropMissing ? await dropMissing(context, missing) : 0;
      if (dropped > 0) await recordAction(context, actor, { subject: source, details: { dropped } });
      const left = options.dropMissing ? 0 : missing.length;
      run.out.say(
        { ...manifest, deletions, was_back: wasBack, missing: missing.length, dropped },
        summary({ deletions, wasBack, dropped, left }),
      );
      if (left > 0) throw new Findings();
    });
}

async function bringBytes({ context, signal, progress }: Run, folder: string | undefined): Promise<readonly BlobId[]> {
  const onProgress = (blobs: number) => progress.show(`${blobs.toLocaleString('en')} blobs`);
  if (folder === undefined) return findMissing(context, { signal, onProgress });
  await using pool = await openPoolToRead(folder);
  return (await copyBlobs(context, pool, context.blobs, { signal, onProgress })).missing;
}

function summary(done: { deletions: number | null; wasBack: boolean; dropped: number; left: number }): string {
  const { deletions, wasBack, dropped, left } = done;
  const begin = wasBack ? 'The rows of the backup were back before, and were left alone.' : 'The backup is back.';
  const again =
    deletions === null
      ? 'No list of later deletions lies beside it.'
      : `Deletions from after it that were done again: ${deletions}.`;
  const gone = dropped === 0 ? '' : ` Files without bytes that were deleted: ${dropped}.`;
  const lacking =
    left === 0
      ? ''
      : ` Blobs that are missing: ${left}. Copy them into the storage, or give the command again with --drop-missing; holdfast fsck says which files need them.`;
  return `${begin} ${again}${gone}${lacking}`;
}

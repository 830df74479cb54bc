import type { Context } from '@holdfast/server/src/context.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import {
  countLive,
  type FileFacts,
  fileFacts,
  findBytes,
  type FoundBytes,
  type Hold,
} from '@holdfast/server/src/moderation/find-file.ts';
import { bytesOfCase, onlyHoldOn, type Restoration, restore } from '@holdfast/server/src/moderation/restore-file.ts';
import { quarantineByOperator } from '@holdfast/server/src/moderation/quarantine.ts';
import { discard, takeDown } from '@holdfast/server/src/moderation/take-down.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { caseReference } from './arguments.ts';
import { confirm } from './confirm.ts';
import { explain, Findings, Refused, WrongUsage } from './explain.ts';
import { count, printable, sheet, size, time, timeOrNull } from './format.ts';
import { openCommand, type Run, withRun } from './run.ts';

export function addFile(program: Command): void {
  const group = program
    .command('file')
    .description('Show files, take them down, restore them, or discard their bytes.');
  for (const add of [addFileShow, addFileTakeDown, addFileQuarantine, addFileRestore, addFileDiscard]) add(group);
}

/** Returns the action of a command on the bytes of one file. */
const withBytes = (work: (run: Run, bytes: FoundBytes, options: never) => Promise<void>) =>
  withRun(async (run, named: string, options: never) => work(run, await findBytes(run.context, named), options));

function addFileShow(group: Command): void {
  addCommand(group, 'show', {
    does: 'Show a file, including a deleted one: owner, state, bytes, and what withholds it.',
    examples: [
      ['file show q7Rt2mXa', 'by its name'],
      ['file show https://files.example.com/file/q7Rt2mXa.zip', 'by its link, on any host'],
      ['file show $(sha256sum < report.pdf | head -c 64)', 'by its SHA-256: all files of these bytes'],
    ],
  })
    .argument('<file>', 'name, link or SHA-256')
    .action(
      withBytes(async ({ out, context }, bytes) => {
        const facts = await fileFacts(context, bytes);
        out.say(factsAsJson(facts), factsAsText(facts));
      }),
    );
}

const factsAsJson = ({ blob, files, ...facts }: FileFacts) => ({
  ...facts,
  blob: blob && { ...blob, unused_since: timeOrNull(blob.unused_since) },
  files: files.map(({ uploaded_at, last_accessed_at, deleted_at, pending_scan, ...file }) => ({
    ...file,
    uploaded: timeText(uploaded_at),
    last_accessed: timeOrNull(last_accessed_at),
    deleted: timeOrNull(deleted_at),
    pending_scan: pending_scan === 1,
  })),
});

function factsAsText({ sha256, blob, blocked, held_by, live_files, files }: FileFacts): string {
  const bytes = sheet([
    ['SHA-256', sha256],
    ['Bytes', blob ? `${size(blob.size)}, blob ${blob.id}, ${blob.scan_state}` : 'deleted from storage'],
    ['Live files', `${count(live_files, 'file')} of these bytes`],
    ['Held by', held_by.length === 0 ? 'nothing' : held_by.join(', ')],
    ['Upload', blocked ? 'refused' : 'allowed'],
  ]);
  return [...files.map(fileText), bytes].join('\n\n');
}

function fileText(file: FileFacts['files'][number]): string {
  const why = file.deleted_because === null ? '' : ` (${file.deleted_because})`;
  const live = file.pending_scan === 1 ? 'waiting for its scan' : 'live';
  return sheet([
    ['File', `${file.name}  ${printable(file.original_name)}`],
    ['Owner', file.account],
    ['State', file.deleted_at === null ? live : `deleted on ${time(file.deleted_at)}${why}`],
    ['Size', size(file.size)],
    ['Uploaded', time(file.uploaded_at)],
    ['Hits', `${file.hits}, last ${time(file.last_accessed_at)}`],
  ]);
}

const withheld = ({ files, accounts }: { readonly files: number; readonly accounts: number }) =>
  `${count(files, 'file')} of ${count(accounts, 'account')}`;

function addFileTakeDown(group: Command): void {
  addCommand(group, 'take-down', {
    does: 'Remove a file, and every file of the same bytes, after a notice.',
    more:
      'The links stop at once on every host, the bytes are held and cannot be uploaded again, each owner\n' +
      'is notified by email, and the case counts against their accounts. file restore undoes it.',
    examples: [
      ['file take-down q7Rt2mXa --case DMCA-2026-17 --dry-run', 'shows what would be removed'],
      ['file take-down q7Rt2mXa --case DMCA-2026-17', 'takes it down'],
    ],
  })
    .argument('<file>', 'name, link or SHA-256')
    .requiredOption('--case <reference>', 'your reference of the notice', caseReference)
    .option('--dry-run', 'change nothing')
    .action(
      withBytes(
        async (
          { context, actor, out },
          bytes,
          { case: reference, dryRun = false }: { case: string; dryRun?: boolean },
        ) => {
          const done = dryRun
            ? await countLive(context.db, bytes.blobId)
            : await takeDown(context, actor, bytes, reference);
          const nothing = `No live file has these bytes; the case ${reference} ${dryRun ? 'would be' : 'is'} recorded.`;
          const said = `${withheld(done)} ${dryRun ? 'would be taken down' : 'taken down'} for the case ${reference}.`;
          out.say(
            { sha256: bytes.sha256, case: reference, ...done, dry_run: dryRun },
            done.files === 0 ? nothing : said,
          );
        },
      ),
    );
}

function addFileQuarantine(group: Command): void {
  addCommand(group, 'quarantine', {
    does: 'Withhold a file, and every file of the same bytes, as malware.',
    more: 'Does what the scanner does with an infected file. file restore undoes it.',
    examples: [['file quarantine q7Rt2mXa --because "reported by abuse.example"', 'withholds it from everyone']],
  })
    .argument('<file>', 'name, link or SHA-256')
    .requiredOption('--because <text>', 'what it is, or the source of the report', caseReference)
    .option('--dry-run', 'change nothing')
    .action(
      withBytes(
        async ({ context, actor, out }, bytes, { because, dryRun = false }: { because: string; dryRun?: boolean }) => {
          const done = dryRun
            ? await countLive(context.db, bytes.blobId)
            : await quarantineByOperator(context, actor, bytes, because);
          const said = `${withheld(done)} ${dryRun ? 'would be quarantined' : 'quarantined'}.`;
          out.say({ sha256: bytes.sha256, because, ...done, dry_run: dryRun }, said);
        },
      ),
    );
}

interface RestoreFileOptions {
  readonly case?: string;
  readonly quarantine?: true;
  readonly overQuota?: true;
  readonly dryRun?: true;
  readonly yes?: true;
}

function addFileRestore(group: Command): void {
  addCommand(group, 'restore', {
    does: 'Restore files withheld by a takedown or a quarantine.',
    more:
      'Files come back under the same links, to every account that had them, unless something else holds the same bytes.\n' +
      'An account without enough quota gets nothing back unless --over-quota is given. With --case alone, all of its bytes\n' +
      'are restored, after a confirmation. Bytes without such files can be uploaded again.',
    examples: [
      ['file restore q7Rt2mXa', 'after a counter-notice, or when the scanner was wrong'],
      ['file restore --case DMCA-2026-17 --dry-run', 'shows everything that this case withheld'],
      ['file restore --case DMCA-2026-17', 'restores it; asks for the case again'],
      ['file restore q7Rt2mXa --quarantine', 'ends the quarantine, and leaves the cases'],
    ],
  })
    .argument('[file]', 'name, link or SHA-256')
    .option('--case <reference>', 'the case that is over', caseReference)
    .option('--quarantine', 'it is the quarantine that is over')
    .option('--over-quota', 'restore files even to accounts without enough quota')
    .option('--dry-run', 'change nothing')
    .option('--yes', 'do not ask')
    .action(async (named: string | undefined, options: RestoreFileOptions, command: Command) => {
      if (named === undefined && options.case === undefined)
        throw new WrongUsage('Name a file, or a case with --case.');
      if (options.case !== undefined && options.quarantine)
        throw new WrongUsage('Use --case or --quarantine, not both.');
      await using run = await openCommand(command);
      const { context, actor, out, signal } = run;
      const { overQuota = false, dryRun = false } = options;
      const toRestore = await choose(context, named, options);
      if (named === undefined && !dryRun) await confirmCase(run, toRestore, options);
      let missing = 0;
      for (const { bytes, hold } of toRestore) {
        signal.throwIfAborted();
        try {
          const done = await restore(context, { actor, bytes, hold, overQuota, dryRun });
          missing += isWhole(done) ? 0 : 1;
          await out.tell({ ...done, ...(dryRun && { dry_run: true }) }, restoredAsText(done, dryRun));
        } catch (error) {
          // Bytes that cannot be read do not keep the others of a case.
          if (toRestore.length === 1) throw error;
          missing += 1;
          await out.tell({ sha256: bytes.sha256, error: explain(error) }, `${bytes.sha256}: ${explain(error)}`);
        }
      }
      if (missing > 0) throw new Findings();
    });
}

type ToRestore = Awaited<ReturnType<typeof choose>>;

/** A mistyped case would publish the files of another one. */
async function confirmCase({ context, actor, signal }: Run, toRestore: ToRestore, options: RestoreFileOptions) {
  const { case: reference = '', overQuota = false, yes = false } = options;
  if (yes) return;
  const back = new Map<string, number>();
  for (const { bytes, hold } of toRestore) {
    signal.throwIfAborted();
    // Bytes that cannot be restored are reported when the case is.
    const done = await restore(context, { actor, bytes, hold, overQuota, dryRun: true }).catch(() => null);
    for (const { account, files, outcome } of done?.accounts ?? [])
      if (outcome === 'restored') back.set(account, (back.get(account) ?? 0) + files);
  }
  const files = [...back.values()].reduce((sum, each) => sum + each, 0);
  const what = withheld({ files, accounts: back.size });
  await confirm(`This ends the case ${reference} and makes ${what} public again.`, reference, { yes, signal });
}

async function choose(context: Context, named: string | undefined, options: RestoreFileOptions) {
  const hold = holdNamed(options);
  if (named === undefined) return (await bytesOfCase(context, options.case ?? '')).map((bytes) => ({ bytes, hold }));
  const bytes = await findBytes(context, named);
  if (hold?.kind === 'case') {
    const taken = await bytesOfCase(context, hold.reference);
    if (!taken.some(({ sha256 }) => sha256 === bytes.sha256))
      throw new Refused(`The case ${hold.reference} did not take '${named}'.`);
  }
  return [{ bytes, hold: hold ?? (await onlyHoldOn(context, bytes)) }];
}

function holdNamed({ quarantine, case: reference }: RestoreFileOptions): Hold | null {
  if (quarantine) return { kind: 'quarantine' };
  return reference === undefined ? null : { kind: 'case', reference };
}

const isWhole = ({ accounts, still_held_by, bytes_lost }: Restoration) =>
  still_held_by.length === 0 && !bytes_lost && accounts.every(({ outcome }) => outcome === 'restored');

function restoredAsText(done: Restoration, dryRun: boolean): string {
  const { sha256, accounts, still_held_by: holds, ended, bytes_lost: areLost } = done;
  if (holds.length > 0)
    return `Nothing of ${sha256} is back: ${holds.join(' and ')} still ${holds.length === 1 ? 'holds' : 'hold'} it.`;
  const restored = dryRun ? 'would be restored' : 'restored';
  const lines = accounts.map(({ account, files, outcome }) =>
    outcome === 'restored'
      ? `${account}: ${count(files, 'file')} ${restored}.`
      : `${account}: nothing ${restored}, ${refusals[outcome]}.`,
  );
  if (ended && !accounts.some(({ outcome }) => outcome === 'restored'))
    lines.push(`${sha256} ${dryRun ? 'would be' : 'is'} held by nothing any more and can be uploaded again.`);
  if (areLost) lines.push('Its bytes are missing from the storage. Upload them once, or copy them from a backup.');
  return lines.join('\n');
}

const refusals = {
  'over quota': 'its plan has too little quota. Repeat the command with --over-quota to restore them anyway',
  'account closed': 'the account is closed',
  'bytes deleted': 'the bytes were permanently deleted and cannot be restored',
};

function addFileDiscard(group: Command): void {
  addCommand(group, 'discard', {
    does: 'Remove the bytes of a file that is taken down or in quarantine from storage.',
    more:
      'They cannot be brought back or uploaded again, and the case still counts.\n' +
      'Copies in backups stay until you remove them there.',
    examples: [
      ['file discard q7Rt2mXa', 'when a case is closed; asks for the name again'],
      ['file discard q7Rt2mXa --yes', 'skips the confirmation'],
    ],
  })
    .argument('<file>', 'name, link or SHA-256')
    .option('--yes', 'do not ask')
    .action(
      withBytes(async ({ context, actor, signal, out }, bytes, { yes = false }: { readonly yes?: boolean }) => {
        const named = bytes.name ?? bytes.sha256;
        await confirm(`This permanently removes the bytes of ${named}.`, named, { yes, signal });
        const removed = await discard(context, actor, bytes);
        out.say({ sha256: bytes.sha256, size: removed }, `${size(removed)} of ${named} permanently removed.`);
      }),
    );
}

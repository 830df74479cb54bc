import type { Context } from '@holdfast/server/src/context.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import { discard } from '@holdfast/server/src/operator/discard.ts';
import { type FactsOfFile, fileFacts, type StoredFileFacts } from '@holdfast/server/src/operator/file-facts.ts';
import { findBytes, type FoundBytes } from '@holdfast/server/src/operator/find-bytes.ts';
import type { Hold } from '@holdfast/server/src/operator/holds.ts';
import { quarantineByOperator } from '@holdfast/server/src/operator/quarantine-bytes.ts';
import { goneForGood } from '@holdfast/server/src/operator/restore-files.ts';
import { bytesOfCase, onlyHoldOn, type Restoration, restore } from '@holdfast/server/src/operator/restore.ts';
import { takeDown, wouldTakeDown } from '@holdfast/server/src/operator/take-down.ts';
import type { Command } from 'commander';
import { caseReference } from '../arguments.ts';
import { confirm } from '../confirm.ts';
import { describeCommand } from '../describe.ts';
import { Findings, Refused, WrongUsage } from '../explain.ts';
import { count, printable, sheet, size, time } from '../format.ts';
import { openCommand, withRun } from '../open-command.ts';

export function addFile(program: Command): void {
  const group = program
    .command('file')
    .description('Show files, take them down, restore them, or discard their bytes.');
  for (const add of [addFileShow, addFileTakeDown, addFileQuarantine, addFileRestore, addFileDiscard]) add(group);
}

function addFileShow(group: Command): void {
  describeCommand(group.command('show'), {
    does: 'Show a file, including a deleted one: owner, state, bytes, and what withholds it.',
    examples: [
      ['file show q7Rt2mXa', 'by its name'],
      ['file show https://files.example.com/file/q7Rt2mXa.zip', 'by its link, on any host'],
      ['file show $(sha256sum < report.pdf | head -c 64)', 'by its SHA-256: all files of these bytes'],
    ],
  })
    .argument('<file>', 'name, link or SHA-256')
    .action(
      withRun(async ({ out, context }, named: string) => {
        const facts = await fileFacts(context, await findBytes(context, named));
        out.say(factsAsJson(facts), factsAsText(facts));
      }),
    );
}

const maybeTime = (ms: number | null) => (ms === null || ms === 0 ? null : timeText(ms));

const factsAsJson = ({ sha256, blob, blocked, holds, files, fileCount }: StoredFileFacts) => ({
  sha256,
  blob: blob && { ...blob, unused_since: maybeTime(blob.unused_since) },
  blocked,
  held_by: holds,
  live_files: fileCount,
  files: files.map((file) => ({
    name: file.name,
    original_name: file.originalName,
    account: file.account,
    size: file.size,
    hits: file.hits,
    uploaded: timeText(file.uploadedAt),
    last_accessed: maybeTime(file.lastAccessedAt),
    deleted: maybeTime(file.deletedAt),
    deleted_because: file.deletedBecause,
    pending_scan: file.pendingScan,
  })),
});

function factsAsText(facts: StoredFileFacts): string {
  const { sha256, blob, blocked, holds, fileCount } = facts;
  const bytes = sheet([
    ['SHA-256', sha256],
    ['Bytes', blob ? `${size(blob.size)}, blob ${blob.id}, ${blob.scan_state}` : 'deleted from storage'],
    ['Live files', `${count(fileCount, 'file')} of these bytes`],
    ['Held by', holds.length === 0 ? 'nothing' : holds.join(', ')],
    ['Upload', blocked ? 'refused' : 'allowed'],
  ]);
  return [...facts.files.map(fileText), bytes].join('\n\n');
}

function fileText(file: FactsOfFile): string {
  const why = file.deletedBecause === null ? '' : ` (${file.deletedBecause})`;
  const live = file.pendingScan ? 'waiting for its scan' : 'live';
  return sheet([
    ['File', `${file.name}  ${printable(file.originalName)}`],
    ['Owner', file.account],
    ['State', file.deletedAt === null ? live : `deleted on ${time(file.deletedAt)}${why}`],
    ['Size', size(file.size)],
    ['Uploaded', time(file.uploadedAt)],
    ['Hits', `${file.hits}, last ${time(file.lastAccessedAt)}`],
  ]);
}

interface TakeDownOptions {
  readonly case: string;
  readonly dryRun?: true;
}

function addFileTakeDown(group: Command): void {
  describeCommand(group.command('take-down'), {
    does: 'Remove a file, and every file of the same bytes, after a notice.',
    more: 'The links stop at once on every host, the bytes are held and cannot be uploaded again, each owner\nis notified by email, and the case counts against their accounts. file restore undoes it.',
    examples: [
      ['file take-down q7Rt2mXa --case DMCA-2026-17 --dry-run', 'shows what would be removed'],
      ['file take-down q7Rt2mXa --case DMCA-2026-17', 'takes it down'],
    ],
  })
    .argument('<file>', 'name, link or SHA-256')
    .requiredOption('--case <reference>', 'your reference of the notice', caseReference)
    .option('--dry-run', 'change nothing')
    .action(
      withRun(async ({ context, actor, out }, named: string, options: TakeDownOptions) => {
        const bytes = await findBytes(context, named);
        const dry = options.dryRun === true;
        const done = dry ? await wouldTakeDown(context, bytes) : await takeDown(context, actor, bytes, options.case);
        const what = `${count(done.files, 'file')} of ${count(done.accounts, 'account')}`;
        const nothing = `No live file has these bytes; the case ${options.case} ${dry ? 'would be' : 'is'} recorded.`;
        const said = `${what} ${dry ? 'would be' : 'taken'} ${dry ? 'taken down' : 'down'} for the case ${options.case}.`;
        out.say({ sha256: bytes.sha256, case: options.case, ...done, dry_run: dry }, done.files === 0 ? nothing : said);
      }),
    );
}

interface QuarantineOptions {
  readonly because: string;
  readonly dryRun?: boolean;
}

function addFileQuarantine(group: Command): void {
  describeCommand(group.command('quarantine'), {
    does: 'Withhold a file, and every file of the same bytes, as malware.',
    more: 'Does what the scanner does with an infected file. file restore undoes it.',
    examples: [['file quarantine q7Rt2mXa --because "reported by abuse.example"', 'withholds it from everyone']],
  })
    .argument('<file>', 'name, link or SHA-256')
    .requiredOption('--because <text>', 'what it is, or the source of the report', caseReference)
    .option('--dry-run', 'change nothing')
    .action(
      withRun(async ({ context, actor, out }, named: string, { because, dryRun = false }: QuarantineOptions) => {
        const bytes = await findBytes(context, named);
        const done = dryRun
          ? await wouldTakeDown(context, bytes)
          : await quarantineByOperator(context, actor, bytes, because);
        const what = `${count(done.files, 'file')} of ${count(done.accounts, 'account')}`;
        const said = `${what} ${dryRun ? 'would be quarantined' : 'quarantined'}.`;
        out.say({ sha256: bytes.sha256, because, ...done, dry_run: dryRun }, said);
      }),
    );
}

interface RestoreFileOptions {
  readonly case?: string;
  readonly quarantine?: true;
  readonly overQuota?: true;
}

function addFileRestore(group: Command): void {
  describeCommand(group.command('restore'), {
    does: 'Restore files withheld by a takedown or a quarantine.',
    more:
      'Files come back under the same links, to every account that had them, unless something else holds the same bytes.\n' +
      'An account without enough quota gets nothing back unless --over-quota is given. With --case alone, all of its bytes are restored.',
    examples: [
      ['file restore q7Rt2mXa', 'after a counter-notice, or when the scanner was wrong'],
      ['file restore --case DMCA-2026-17', 'everything that this case withheld'],
      ['file restore q7Rt2mXa --quarantine', 'ends the quarantine, and leaves the cases'],
    ],
  })
    .argument('[file]', 'name, link or SHA-256')
    .option('--case <reference>', 'the case that is over', caseReference)
    .option('--quarantine', 'it is the quarantine that is over')
    .option('--over-quota', 'restore files even to accounts without enough quota')
    .action(async (named: string | undefined, options: RestoreFileOptions, command: Command) => {
      if (named === undefined && options.case === undefined)
        throw new WrongUsage('Name a file, or a case with --case.');
      if (options.case !== undefined && options.quarantine)
        throw new WrongUsage('Use --case or --quarantine, not both.');
      await using run = await openCommand(command);
      const { context, actor, out, signal } = run;
      const { toRestore, gone } = await choose(context, named, options);
      let missing = gone.length;
      for (const { bytes, hold } of toRestore) {
        signal.throwIfAborted();
        const done = await restore(context, actor, bytes, hold, { overQuota: options.overQuota === true });
        missing += isWhole(done) ? 0 : 1;
        await out.tell(restoredAsJson(done), restoredAsText(done));
      }
      for (const sha256 of gone)
        await out.tell({ sha256, gone: true }, `The bytes ${sha256} were permanently deleted and cannot be restored.`);
      if (missing > 0) throw new Findings();
    });
}

interface Chosen {
  readonly toRestore: readonly { readonly bytes: FoundBytes; readonly hold: Hold }[];
  readonly gone: readonly string[];
}

async function choose(context: Context, named: string | undefined, options: RestoreFileOptions): Promise<Chosen> {
  const hold: Hold | null = options.quarantine
    ? { kind: 'quarantine' }
    : options.case === undefined
      ? null
      : { kind: 'case', reference: options.case };
  if (named === undefined) {
    const { stored, gone } = await bytesOfCase(context, options.case ?? '');
    return { toRestore: hold ? stored.map((bytes) => ({ bytes, hold })) : [], gone };
  }
  const bytes = await findBytes(context, named);
  if (hold?.kind === 'case') {
    const { stored, gone } = await bytesOfCase(context, hold.reference);
    if (gone.includes(bytes.sha256)) throw goneForGood(bytes);
    if (!stored.some(({ sha256 }) => sha256 === bytes.sha256))
      throw new Refused(`The case ${hold.reference} did not take '${named}'.`);
  }
  return { toRestore: [{ bytes, hold: hold ?? (await onlyHoldOn(context, bytes)) }], gone: [] };
}

const isWhole = ({ accounts, stillHeldBy }: Restoration) =>
  stillHeldBy.length === 0 &&
  accounts.every(({ outcome }) => outcome === 'restored' || outcome === 'nothing to restore');

const restoredAsJson = ({ sha256, accounts, stillHeldBy }: Restoration) => ({
  sha256,
  accounts,
  still_held_by: stillHeldBy,
});

function restoredAsText({ sha256, accounts, stillHeldBy }: Restoration): string {
  if (stillHeldBy.length > 0)
    return `Nothing of ${sha256} is back: ${stillHeldBy.join(' and ')} still ${stillHeldBy.length === 1 ? 'holds' : 'hold'} it.`;
  if (accounts.length === 0) return `Nothing of ${sha256} is left to restore.`;
  return accounts
    .map(({ account, files, outcome }) =>
      outcome === 'restored'
        ? `${account}: ${count(files, 'file')} restored.`
        : `${account}: nothing restored, ${refusals[outcome]}.`,
    )
    .join('\n');
}

const refusals = {
  'over quota': 'its plan has too little quota. Repeat the command with --over-quota to restore them anyway',
  'account closed': 'the account is closed',
  'held again': 'something else holds them now',
  'nothing to restore': 'they are already restored',
};

function addFileDiscard(group: Command): void {
  describeCommand(group.command('discard'), {
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
      withRun(async ({ context, actor, signal, out }, named: string, { yes = false }: { readonly yes?: boolean }) => {
        const bytes = await findBytes(context, named);
        const { name, sha256 } = bytes;
        await confirm(`This permanently removes the bytes of ${name ?? sha256}.`, name ?? sha256, { yes, signal });
        const done = await discard(context, actor, bytes);
        out.say({ sha256, size: done.size }, `${size(done.size)} of ${name ?? sha256} permanently removed.`);
      }),
    );
}

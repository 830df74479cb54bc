import type { Context } from '@holdfast/server/src/context.ts';
import { findBytes, type FoundBytes } from '@holdfast/server/src/files/find-bytes.ts';
import type { Hold } from '@holdfast/server/src/files/holds.ts';
import { goneForGood } from '@holdfast/server/src/files/restore-files.ts';
import { bytesOfCase, onlyHoldOn, restore, type Restoration } from '@holdfast/server/src/files/restore.ts';
import type { Command } from 'commander';
import { caseReference } from '../arguments.ts';
import { describe } from '../describe.ts';
import { Findings, Refused, WrongUsage } from '../explain.ts';
import { openFor } from '../open-for.ts';
import { count } from '../words.ts';

interface Options {
  readonly case?: string;
  readonly quarantine?: true;
  readonly overQuota?: true;
}

export function addFileRestore(group: Command): void {
  describe(group.command('restore'), {
    does: 'Bring back what a takedown or a quarantine took.',
    more:
      'Files come back under the same links, to every account that had them, unless something else holds the same bytes.\n' +
      'An account without room gets nothing back unless --over-quota is given. With a case alone all of its bytes come back.',
    examples: [
      ['file restore q7Rt2mXa', 'after a counter-notice, or when the scanner was wrong'],
      ['file restore --case DMCA-2026-17', 'everything that this case took'],
      ['file restore q7Rt2mXa --quarantine', 'ends the quarantine, and leaves the cases'],
    ],
  })
    .argument('[file]', 'name, link or SHA-256')
    .option('--case <reference>', 'the case that is over', caseReference)
    .option('--quarantine', 'it is the quarantine that is over')
    .option('--over-quota', 'give files back to accounts that have no room for them')
    .action(async (named: string | undefined, options: Options, command: Command) => {
      if (named === undefined && options.case === undefined)
        throw new WrongUsage('Name a file, or a case with --case.');
      if (options.case !== undefined && options.quarantine)
        throw new WrongUsage('Say --case or --quarantine, not both.');
      await using run = await openFor(command);
      const { context, actor, out, signal } = run;
      const { toRestore, gone } = await choose(context, named, options);
      let missing = gone.length;
      for (const { bytes, hold } of toRestore) {
        signal.throwIfAborted();
        const done = await restore(context, actor, bytes, hold, { overQuota: options.overQuota === true });
        missing += isWhole(done) ? 0 : 1;
        await out.tell(asJson(done), asText(done));
      }
      for (const sha256 of gone)
        await out.tell({ sha256, gone: true }, `The bytes ${sha256} are gone for good: they cannot come back.`);
      if (missing > 0) throw new Findings();
    });
}

interface Chosen {
  readonly toRestore: readonly { readonly bytes: FoundBytes; readonly hold: Hold }[];
  readonly gone: readonly string[];
}

async function choose(context: Context, named: string | undefined, options: Options): Promise<Chosen> {
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

const asJson = ({ sha256, accounts, stillHeldBy }: Restoration) => ({ sha256, accounts, still_held_by: stillHeldBy });

function asText({ sha256, accounts, stillHeldBy }: Restoration): string {
  if (stillHeldBy.length > 0)
    return `Nothing of ${sha256} is back: ${stillHeldBy.join(' and ')} still ${stillHeldBy.length === 1 ? 'holds' : 'hold'} it.`;
  if (accounts.length === 0) return `Nothing of ${sha256} is left to bring back.`;
  return accounts
    .map(({ account, files, outcome }) =>
      outcome === 'restored'
        ? `${account}: ${count(files, 'file')} restored.`
        : `${account}: nothing restored, ${refusals[outcome]}.`,
    )
    .join('\n');
}

const refusals = {
  'no room': 'its plan has no room. The same command with --over-quota gives them back all the same',
  'account closed': 'the account is closed',
  'held again': 'something else holds them since',
  'nothing to restore': 'they are back already',
};

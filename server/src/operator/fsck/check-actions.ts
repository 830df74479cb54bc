import { areActionHeadsMissing, linkAction, looseEnds, readActionHeads } from '../../engines/database/action-chain.ts';
import type { Transaction } from '../../engines/database/database.ts';
import {
  allowChangesToActions,
  areChangesToActionsRefused,
  refuseChangesToActions,
} from '../../engines/database/refuse-changes-to-actions.ts';
import { recordAction } from '../record-action.ts';
import { type Inspection, pageSize } from './inspection.ts';

/** Checks that the database refuses changes to the audit log, and that its hash chain shows none. */
export async function checkActions(inspection: Inspection): Promise<void> {
  await checkTriggers(inspection);
  const { context, signal, suspect } = inspection;
  const faults = await context.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => [...(await changedEntries(tx, signal)), ...(await cutEnds(tx))]);
  // They were found in one consistent state, so they need no second look.
  for (const fault of faults) await suspect({ kind: 'actions-changed', ...fault, again: async () => true });
}

async function checkTriggers({ context, actor, suspect }: Inspection): Promise<void> {
  if (await areChangesToActionsRefused(context.db)) return;
  await suspect({
    kind: 'actions-unguarded',
    subject: 'operator_actions',
    says: 'The database lets the audit log be changed: a trigger is missing or was replaced.',
    again: async () => !(await areChangesToActionsRefused(context.db)),
    mend: async () => {
      await context.db.transaction().execute(async (tx) => {
        await allowChangesToActions(tx);
        await refuseChangesToActions(tx);
        await recordAction({ ...context, db: tx }, actor, {
          subject: 'operator_actions',
          details: { triggers: 'new' },
        });
      });
      return true;
    },
  });
}

interface Fault {
  readonly subject: string;
  readonly says: string;
}

/** Entries that do not have their hash, or whose predecessor is missing. */
async function changedEntries(tx: Transaction, signal: AbortSignal): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const page = await tx
      .selectFrom('operator_actions')
      .leftJoin('operator_actions as before', 'before.hash', 'operator_actions.previous')
      .selectAll('operator_actions')
      .select('before.id as before')
      .where('operator_actions.id', '>', after)
      .orderBy('operator_actions.id')
      .limit(pageSize)
      .execute();
    for (const { before, ...entry } of page) {
      if (linkAction(entry, entry.previous).hash !== entry.hash)
        faults.push({ subject: entry.id, says: `The entry ${entry.id} of the audit log was changed.` });
      if (before === null && entry.previous !== '')
        faults.push({ subject: entry.id, says: `The entry before ${entry.id} is missing in the audit log.` });
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return faults;
    after = last.id;
  }
}

/** Chains that end elsewhere than the service noted: the newest entries are missing, or one was added by hand. */
async function cutEnds(tx: Transaction): Promise<Fault[]> {
  if (await areActionHeadsMissing(tx))
    return [
      {
        subject: 'operator_actions',
        says: 'The database does not say any more which entry of the audit log is the newest.',
      },
    ];
  const [heads, ends] = [new Set(await readActionHeads(tx)), await looseEnds(tx)];
  const found = new Set(ends.map(({ hash }) => hash));
  return [
    ...[...heads]
      .filter((head) => !found.has(head))
      .map((head) => ({
        subject: head,
        says: `The newest entry of the audit log, with the hash ${head}, is missing.`,
      })),
    ...ends
      .filter(({ hash }) => !heads.has(hash))
      .map(({ id }) => ({ subject: id, says: `The audit log ends with the entry ${id}, but should not end there.` })),
  ];
}

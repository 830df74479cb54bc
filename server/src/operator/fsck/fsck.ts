import { requireOwnStorage } from '../../storage/blobs/storage-owner.ts';
import { findDamage } from '../../storage/db/find-damage.ts';
import { checkBytes } from './check-bytes.ts';
import { checkBlobCounts, checkUsage } from './check-counters.ts';
import type { Checked, Finding, Inspection } from './inspection.ts';

export interface FsckOptions extends Omit<Inspection, 'suspect' | 'checked'> {
  /** Repairs what can be repaired. Without it nothing is changed, except that `scrub` moves damaged bytes away. */
  readonly repair: boolean;
  /** Receives each finding at once, so that none has to be kept in memory. */
  readonly tell: (finding: Finding) => Promise<void>;
  readonly progress: (checked: Readonly<Record<Checked, number>>) => void;
}

export interface FsckSummary {
  readonly checked: Readonly<Record<Checked, number>>;
  readonly findings: number;
  readonly repaired: number;
  /** Number of findings of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Sentences about what could not be checked here. */
  readonly unchecked: readonly string[];
}

/**
 * Checks the database, the counters and the bytes, page by page and beside a running server.
 * @throws {OtherStorage} when the bytes are those of another service.
 */
export async function fsck({ repair, tell, progress, ...rest }: FsckOptions): Promise<FsckSummary> {
  const { context, signal } = rest;
  await requireOwnStorage(context);
  const checked = { accounts: 0, blobs: 0 };
  const kinds: Record<string, number> = {};
  const sums = { findings: 0, repaired: 0 };
  const suspect: Inspection['suspect'] = async ({ again, contain, mend, says, ...finding }) => {
    if (!(await again())) return;
    const contained = contain ? await contain() : '';
    if (contained === null) return;
    const repaired = repair && mend !== undefined && (await mend());
    sums.findings += 1;
    sums.repaired += repaired ? 1 : 0;
    kinds[finding.kind] = (kinds[finding.kind] ?? 0) + 1;
    await tell({ ...finding, says: `${says} ${contained}`.trimEnd(), repaired });
  };
  const inspection: Inspection = {
    ...rest,
    suspect,
    checked(what, more) {
      checked[what] += more;
      progress(checked);
    },
  };
  // It comes first, because every other check reads through an index.
  const { damage, notChecked } = await findDamage(context.db, signal);
  for (const says of damage)
    await suspect({ kind: 'database-damaged', subject: 'database', says, again: async () => true });
  await checkBlobCounts(inspection);
  await checkUsage(inspection);
  await checkBytes(inspection);
  return { checked, ...sums, kinds, unchecked: notChecked === null ? [] : [notChecked] };
}

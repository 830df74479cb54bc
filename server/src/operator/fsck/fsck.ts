import { requireOwnStorage } from '../../storage/blobs/storage-owner.ts';
import { findDamage } from '../../storage/db/find-damage.ts';
import { findWrongBytes } from './check-bytes.ts';
import { findWrongCounts, findWrongUsage } from './check-counters.ts';
import type { Finding, Inspection, Suspicion } from './inspection.ts';

interface FsckOptions extends Omit<Inspection, 'checked'> {
  readonly repair: boolean;
  readonly tell: (finding: Finding) => Promise<void>;
  readonly progress: (checked: Readonly<Record<'accounts' | 'blobs', number>>) => void;
}

/**
 * Checks the database, the counters and the bytes, beside a running server.
 * @throws {OtherStorage} when the bytes are those of another service.
 */
export async function fsck({ repair, tell, progress, ...rest }: FsckOptions) {
  const { context, signal } = rest;
  await requireOwnStorage(context);
  const checked = { accounts: 0, blobs: 0 };
  const kinds: Record<string, number> = {};
  const sums = { findings: 0, repaired: 0 };
  const examine = async ({ again, contain, mend, says, ...finding }: Suspicion): Promise<void> => {
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
    checked(what) {
      checked[what] += 1;
      progress(checked);
    },
  };
  // It comes first, because every other check reads through an index.
  const { damage, notChecked } = await findDamage(context.db, signal);
  for (const says of damage)
    await examine({ kind: 'database-damaged', subject: 'database', says, again: async () => true });
  for (const find of [findWrongCounts, findWrongUsage, findWrongBytes])
    for await (const suspicion of find(inspection)) await examine(suspicion);
  return { checked, ...sums, kinds, unchecked: notChecked === null ? [] : [notChecked] };
}

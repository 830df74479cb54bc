import type { Context } from '../../context.ts';
import { requireOwnStorage } from '../../storage/blobs/storage-owner.ts';
import { findDamage } from '../../storage/db/find-damage.ts';
import type { Actor } from '../../storage/db/record-action.ts';
import { findWrongBytes } from './check-bytes.ts';
import { findWrongCounts, findWrongUsage } from './check-counters.ts';

/** docs/operations.md explains each kind and what to do. */
export interface Finding {
  readonly kind:
    | 'database-damaged'
    | 'wrong-usage'
    | 'wrong-count'
    | 'bytes-missing'
    | 'bytes-unreadable'
    | 'bytes-wrong-size'
    | 'bytes-damaged';
  readonly subject: string;
  readonly says: string;
  readonly repaired: boolean;
}

/** A possible fault. The server keeps running, so it is checked again before it is reported. */
export interface Suspicion extends Omit<Finding, 'repaired'> {
  readonly again: () => Promise<boolean>;
  /** Contains the damage, with or without --repair. Returns a sentence about it, or null when the fault is gone. */
  readonly contain?: () => Promise<string | null>;
  readonly mend?: () => Promise<boolean>;
}

export interface Inspection {
  readonly context: Context;
  readonly actor: Actor;
  readonly scrub: boolean;
  readonly repair: boolean;
  readonly signal: AbortSignal;
  readonly checked: (what: 'accounts' | 'blobs') => void;
}

interface FsckOptions extends Omit<Inspection, 'checked'> {
  readonly tell: (finding: Finding) => Promise<void>;
  readonly progress: (checked: Readonly<Record<'accounts' | 'blobs', number>>) => void;
}

/**
 * Checks the database, the counters and the bytes, beside a running server.
 * @throws {OtherStorage} when the bytes are those of another service.
 */
export async function fsck({ tell, progress, ...rest }: FsckOptions) {
  await requireOwnStorage(rest.context);
  const checked = { accounts: 0, blobs: 0 };
  const kinds: Record<string, number> = {};
  const sums = { findings: 0, repaired: 0 };
  const examine = async ({ again, contain, mend, says, ...finding }: Suspicion): Promise<void> => {
    if (!(await again())) return;
    const contained = contain ? await contain() : '';
    if (contained === null) return;
    const repaired = rest.repair && mend !== undefined && (await mend());
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
  const { damage, notChecked } = await findDamage(rest.context.db, rest.signal);
  for (const says of damage)
    await examine({ kind: 'database-damaged', subject: 'database', says, again: async () => true });
  for (const find of [findWrongCounts, findWrongUsage, findWrongBytes])
    for await (const suspicion of find(inspection)) await examine(suspicion);
  return { checked, ...sums, kinds, unchecked: notChecked === null ? [] : [notChecked] };
}

import { checkAccounts } from './check-accounts.ts';
import { checkBlobs } from './check-blobs.ts';
import { checkBytes } from './check-bytes.ts';
import { checkDatabase } from './check-database.ts';
import { checkFiles } from './check-files.ts';
import { checkNames } from './check-names.ts';
import { checkOwner } from './check-owner.ts';
import { checkPermissions } from './check-permissions.ts';
import { checkUnfinished } from './check-unfinished.ts';
import type { Checked, Finding, Inspection, Suspicion } from './inspection.ts';

export interface FsckOptions extends Pick<Inspection, 'context' | 'actor' | 'memory' | 'scrub' | 'signal'> {
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

/** Counts and sums come first, because later repairs rely on them. */
const checks = [
  checkDatabase,
  checkOwner,
  checkPermissions,
  checkBlobs,
  checkAccounts,
  checkBytes,
  checkFiles,
  checkNames,
  checkUnfinished,
];

/** Checks everything that is stored, page by page and beside a running server, and reports each fault. */
export async function fsck({ repair, tell, progress, ...rest }: FsckOptions): Promise<FsckSummary> {
  const checked = { blobs: 0, stored: 0, accounts: 0, files: 0 };
  const kinds: Record<string, number> = {};
  const sums = { findings: 0, repaired: 0 };
  const unchecked: string[] = [];
  const suspect = async ({ again, contain, mend, says, ...finding }: Suspicion) => {
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
    notChecked: (says) => void unchecked.push(says),
    checked(what, more) {
      checked[what] += more;
      progress(checked);
    },
  };
  for (const check of checks) await check(inspection);
  return { checked, ...sums, kinds, unchecked };
}

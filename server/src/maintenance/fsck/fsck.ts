import { checkAccounts } from './check-accounts.ts';
import { checkBlobs } from './check-blobs.ts';
import { checkBytes } from './check-bytes.ts';
import { checkDatabase } from './check-database.ts';
import { checkFiles } from './check-files.ts';
import { checkNames } from './check-names.ts';
import { checkOwner } from './check-owner.ts';
import { checkUnfinished } from './check-unfinished.ts';
import type { Checked, Finding, Inspection, Suspicion } from './inspection.ts';

export interface FsckOptions extends Pick<Inspection, 'context' | 'actor' | 'memory' | 'scrub' | 'signal'> {
  /** Mends what can be mended; without it nothing is changed, except that `scrub` takes damaged bytes out of their place. */
  readonly repair: boolean;
  /** Told each finding at once, so that none has to be kept. */
  readonly tell: (finding: Finding) => Promise<void>;
  readonly progress: (checked: Readonly<Record<Checked, number>>) => void;
}

export interface FsckSummary {
  readonly checked: Readonly<Record<Checked, number>>;
  readonly findings: number;
  readonly repaired: number;
  /** How many of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** What could not be checked here, in sentences. */
  readonly unchecked: readonly string[];
}

/** Counts and sums come before the rest, because mending what comes later relies on them. */
const checks = [
  checkDatabase,
  checkOwner,
  checkBlobs,
  checkAccounts,
  checkBytes,
  checkFiles,
  checkNames,
  checkUnfinished,
];

/** Looks at everything that is kept, page by page and beside a working server, and tells what is not as it must be. */
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

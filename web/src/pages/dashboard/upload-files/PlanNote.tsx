import type { Account } from '@holdfast/contract/src/account.ts';
import { formatCount, formatSize } from '../../../lib/format.ts';
import { allowedExtensions } from './check-files.ts';

/** What the plan takes, under the place to drop. */
export function PlanNote({ account }: { readonly account: Account }) {
  const { limits, usage } = account;
  return (
    <div className="relative -mx-4 mt-7 border-t border-line bg-surface px-4 py-3 text-left text-s text-muted sm:-mx-6 sm:px-6">
      <dl className="flex flex-wrap gap-x-8 gap-y-1">
        <Fact label="Per file" value={formatSize(limits.max_file_size)} />
        <Fact label="Space left" value={formatSize(Math.max(0, limits.space_quota - usage.space_used))} />
        <Fact label="Slots left" value={formatCount(Math.max(0, limits.slots_quota - usage.slots_used))} />
      </dl>
      <AllowedTypes account={account} />
    </div>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className="flex gap-2">
      <dt>{label}</dt>
      <dd className="figures text-ink">{value}</dd>
    </div>
  );
}

function AllowedTypes({ account }: { readonly account: Account }) {
  const { level } = account.info;
  const allowed = allowedExtensions(level);
  if (!allowed) return <p className="mt-1">Every type of file is welcome on {level}.</p>;
  return (
    <details className="mt-1">
      <summary className="w-fit py-1 underline decoration-line underline-offset-4 hover:text-ink phone:py-3">
        {allowed.size} types of file are accepted on {level}
      </summary>
      <p className="py-1 font-mono leading-6 break-words">{[...allowed].join(' ')}</p>
    </details>
  );
}

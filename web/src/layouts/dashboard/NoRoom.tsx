import type { Account } from '@holdfast/contract/src/account.ts';
import { TriangleAlert } from 'lucide-react';

/** For an account whose files take more than its plan has, as after a change to a smaller one (decisions section 5). */
export function NoRoom({ account: { usage, limits } }: { readonly account: Account }) {
  if (usage.space_used <= limits.space_quota && usage.slots_used <= limits.slots_quota) return null;
  return (
    <p className="mt-5 flex max-w-3xl gap-2.5 rounded-m bg-buoy-wash px-3 py-2.5 text-buoy-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      Your files take more than your plan has. They all stay, but there is no room for new ones until some are deleted
      or the plan is a larger one.
    </p>
  );
}

import type { Account } from '@holdfast/contract/src/account.ts';
import { Link } from '@tanstack/react-router';
import { formatFiles, formatSize } from '../lib/format.ts';
import { levelNamed, sellsBetterThan } from '../lib/plans.ts';
import { site } from '../lib/site.ts';
import { Note } from '../ui/Note.tsx';

export function OverQuotaNote({ account }: { readonly account: Account }) {
  const excess = excessOf(account);
  if (excess === '') return null;
  const canBuyMore = sellsBetterThan(levelNamed(account.info.level) ?? 'free');
  return (
    <Note tone="warning" className="mt-5 max-w-3xl">
      <p>
        {site.pricing ? 'Your files exceed your plan.' : 'Your files exceed your limits.'} They are all kept, but you
        cannot upload until you delete some{canBuyMore && ' or choose a larger plan'}.
      </p>
      <p className="mt-1">
        You are {excess} over your limit. Delete what you no longer need under{' '}
        <Link to="/dashboard/file-management" search={{ column: 'size' }}>
          File Management
        </Link>
        {canBuyMore ? (
          <>
            , or see the larger plans under <Link to="/plan-pricing">Pricing</Link>.
          </>
        ) : (
          ', or ask the administrator for more space.'
        )}
      </p>
    </Note>
  );
}

function excessOf({ usage, limits }: Account): string {
  const bytes = usage.space_used - limits.space_quota;
  const files = usage.slots_used - limits.slots_quota;
  return [bytes > 0 && formatSize(bytes), files > 0 && formatFiles(files)].filter(Boolean).join(' and ');
}

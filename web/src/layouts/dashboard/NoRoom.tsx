import type { Account } from '@holdfast/contract/src/account.ts';
import { Link } from '@tanstack/react-router';
import { formatFiles, formatSize } from '../../lib/format.ts';
import { Note } from '../../ui/Note.tsx';

/** For an account whose files take more than its plan has, as after a change to a smaller one (decisions section 5). */
export function NoRoom({ account }: { readonly account: Account }) {
  const excess = excessOf(account);
  if (excess === '') return null;
  return (
    <Note tone="warning" className="mt-5 max-w-3xl">
      <p>
        Your files take more than your plan has. They all stay, but there is no room for new ones until some are deleted
        or the plan is a larger one.
      </p>
      <p className="mt-1">
        It is {excess} too much. Delete what you no longer need under{' '}
        <Link to="/dashboard/file-management" search={{ column: 'size' }}>
          File Management
        </Link>
        , or look for a larger plan under <Link to="/plan-pricing">Pricing</Link>.
      </p>
    </Note>
  );
}

function excessOf({ usage, limits }: Account): string {
  const bytes = usage.space_used - limits.space_quota;
  const files = usage.slots_used - limits.slots_quota;
  return [bytes > 0 && formatSize(bytes), files > 0 && formatFiles(files)].filter(Boolean).join(' and ');
}

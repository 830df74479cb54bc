import { formatCount } from '../../../lib/format.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';

export interface ActivityPagerProps {
  readonly pagination: { readonly page: number; readonly limit: number; readonly total: number };
  /** Told of a press that leads to another page, for the focus. */
  readonly onTurn: () => void;
}

export function ActivityPager({ pagination: { page, limit, total }, onTurn }: ActivityPagerProps) {
  const last = Math.ceil(total / limit);
  if (last <= 1) return null;
  const to = (target: number) =>
    ({
      to: '/dashboard/usage',
      search: { page: target },
      disabled: target < 1 || target > last,
      resetScroll: false,
      onClick: onTurn,
    }) as const;
  return (
    <nav aria-label="Pages of activity" className="mt-3 flex flex-wrap items-center gap-2">
      <p className="mr-auto text-s text-muted">
        {formatCount((page - 1) * limit + 1)}–{formatCount(Math.min(total, page * limit))} of {formatCount(total)}
      </p>
      <ButtonLink {...to(page - 1)}>Previous</ButtonLink>
      <ButtonLink {...to(page + 1)}>Next</ButtonLink>
    </nav>
  );
}

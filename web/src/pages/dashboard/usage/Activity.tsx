import { getRouteApi } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useActivity } from '../../../api/files.ts';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import { formatCount } from '../../../lib/format.ts';
import { type ActivitySearch, firstPage, readActivitySearch } from '../../../lib/search-params.ts';
import { ButtonLink } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import { ActivityEntries } from './ActivityEntries.tsx';
import { eventTexts } from './event-texts.ts';

const route = getRouteApi('/dashboard/usage');

/** Deletions and restorations of the owner's files that the owner did not make, each with its reason. */
export function Activity() {
  const wanted = route.useSearch();
  const { data, error, isPending, isPlaceholderData, refetch } = useActivity(wanted);
  const region = useKeptFocus();
  return (
    <section {...region.props} aria-labelledby="activity" tabIndex={-1} className="mt-8 outline-none">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="activity" className="text-title-s font-semibold">
            Activity
          </h2>
          <p className="mt-1 text-muted">Files removed automatically in the last 12 months.</p>
        </div>
        {/* An account without activity has nothing to filter. */}
        {(wanted.event !== undefined || (data && data.pagination.total > 0)) && <CauseFilter event={wanted.event} />}
      </div>
      <p aria-live="polite" className="sr-only">
        {data && !isPlaceholderData && data.pagination.total > 0 && pageInWords(data.pagination)}
      </p>
      {error && (
        <LoadFailure
          title={data ? 'The activity could not be refreshed' : 'The activity could not be loaded'}
          error={error}
          onRetry={() => void refetch()}
          className="mt-3"
        />
      )}
      {(data ?? isPending) && (
        <Card
          aria-busy={isPending || isPlaceholderData}
          className={clsx('mt-3 transition-opacity duration-150', isPlaceholderData && 'opacity-60')}
        >
          {data ? <ActivityEntries {...data} event={wanted.event} /> : <SkeletonActivity />}
        </Card>
      )}
      {data && data.activity.length > 0 && (
        <ActivityPager
          pagination={{ ...data.pagination, page: wanted.page }}
          event={wanted.event}
          onTurn={region.land}
        />
      )}
    </section>
  );
}

interface Pagination {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

const pageInWords = ({ page, limit, total }: Pagination): string =>
  `Page ${formatCount(page)} of ${formatCount(Math.ceil(total / limit))} of the activity`;

function CauseFilter({ event }: Pick<ActivitySearch, 'event'>) {
  const navigate = route.useNavigate();
  const show = (value: string) =>
    navigate({ search: readActivitySearch({ ...firstPage, event: value }), resetScroll: false });
  return (
    <Select aria-label="Show" value={event ?? ''} onChange={({ currentTarget }) => void show(currentTarget.value)}>
      <option value="">All activity</option>
      {Object.entries(eventTexts).map(([value, { what }]) => (
        <option key={value} value={value}>
          {what}
        </option>
      ))}
    </Select>
  );
}

function SkeletonActivity() {
  return (
    <>
      <p className="sr-only">Loading activity...</p>
      {Array.from({ length: 3 }, (_, entry) => (
        <div key={entry} className="grid gap-2 border-b border-line px-4 py-4 last:border-0">
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="h-3 w-80 max-w-full" />
        </div>
      ))}
    </>
  );
}

interface ActivityPagerProps extends Pick<ActivitySearch, 'event'> {
  readonly pagination: Pagination;
  readonly onTurn: () => void;
}

function ActivityPager({ pagination: { page, limit, total }, event, onTurn }: ActivityPagerProps) {
  const last = Math.ceil(total / limit);
  if (last <= 1) return null;
  const to = (target: number) =>
    ({
      to: '/dashboard/usage',
      search: { page: target, event },
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

import { getRouteApi } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useActivity } from '../../../api/activity.ts';
import { useTimeZone } from '../../../api/settings.ts';
import { LoadFailure } from '../../../layouts/LoadFailure.tsx';
import { formatCount } from '../../../lib/format.ts';
import { useMedia } from '../../../lib/media.ts';
import { Card } from '../../../ui/Card.tsx';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import { ActivityCards } from './ActivityCards.tsx';
import { ActivityPager } from './ActivityPager.tsx';
import { ActivityTable } from './ActivityTable.tsx';
import { NoActivity } from './NoActivity.tsx';
import { SkeletonActivity } from './SkeletonActivity.tsx';

const route = getRouteApi('/dashboard/usage');

/** Beyond the spec: what happened to the owner's files without the owner, and why. */
export function Activity() {
  const { page } = route.useSearch();
  const { data, error, isPending, isPlaceholderData, refetch } = useActivity(page);
  const region = useKeptFocus();
  return (
    <section {...region.props} aria-labelledby="activity" tabIndex={-1} className="mt-8 outline-none">
      <h2 id="activity" className="text-title-s font-semibold">
        Activity
      </h2>
      <p className="mt-1 text-muted">What happened to your files without you, in the last 12 months, newest first.</p>
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
          {data ? <Entries {...data} /> : <SkeletonActivity />}
        </Card>
      )}
      {data && data.activity.length > 0 && (
        <ActivityPager pagination={{ ...data.pagination, page }} onTurn={region.land} />
      )}
    </section>
  );
}

type Answer = NonNullable<ReturnType<typeof useActivity>['data']>;

/** A table where there is room for its columns, cards on a phone. */
function Entries({ activity, pagination: { page, total } }: Answer) {
  const timeZone = useTimeZone();
  const List = useMedia('(max-width: 859.98px)') ? ActivityCards : ActivityTable;
  return activity.length === 0 ? (
    <NoActivity page={page} total={total} />
  ) : (
    <List entries={activity} timeZone={timeZone} />
  );
}

const pageInWords = ({ page, limit, total }: Answer['pagination']): string =>
  `Page ${formatCount(page)} of ${formatCount(Math.ceil(total / limit))} of the activity`;

import { regionProblem, useRegion } from '../../api/server-info.ts';
import { Button } from '../../ui/Button.tsx';

/** Which server answers (spec section 2, Speed test page). */
export function Region() {
  const { data: region, error, isFetching, refetch } = useRegion();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <output className="block">
        <span className="text-muted">You are connected to:</span>{' '}
        <strong className="font-semibold">{region ?? (isFetching ? 'Checking...' : 'Unknown Region')}</strong>
        {error && !isFetching && <span className="block text-s text-muted">{regionProblem(error)}</span>}
      </output>
      {error && !isFetching && <Button onClick={() => void refetch()}>Try again</Button>}
    </div>
  );
}

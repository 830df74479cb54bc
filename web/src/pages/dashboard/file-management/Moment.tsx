import { useNow } from '../../../lib/now.ts';
import { exactTime, timeAgo } from '../../../lib/time.ts';

/** How long ago, with the exact time on hover. */
export function Moment({ at, timeZone }: { readonly at: string | null; readonly timeZone: string }) {
  const words = timeAgo(at, useNow());
  if (at === null) return words;
  return (
    <time dateTime={at} title={exactTime(at, timeZone)}>
      {words}
    </time>
  );
}

import { type Clock, seconds } from '../lib/clock.ts';
import { createLru } from '../lib/lru.ts';

const lastsFor = seconds(30);
/** About 10 MB. */
const mostViews = 50_000;

export type IsNewView = (client: string, fileId: string) => boolean;

/**
 * A tab and the player in it, a player's probes and a retry are one view of the file. The time runs from the request that
 * counted, so that somebody who downloads it all day counts all day.
 */
export function createRecentViews({ monotonic }: Pick<Clock, 'monotonic'>, most = mostViews): IsNewView {
  const countedAt = createLru<string, number>(most);
  return (client, fileId) => {
    const view = `${client} ${fileId}`;
    const now = monotonic();
    if (now - (countedAt.get(view) ?? -Infinity) < lastsFor) return false;
    countedAt.set(view, now);
    return true;
  };
}

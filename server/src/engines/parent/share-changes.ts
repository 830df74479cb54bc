import type { RecentChanges } from '../../lib/recent-changes.ts';
import type { Parent } from './parent.ts';

/** Notes changes in all workers of a parent. */
export function shareChanges(own: RecentChanges, parent: Pick<Parent, 'call' | 'onChanged'>): RecentChanges {
  let unsent: string[] = [];
  const send = () => {
    const ids = unsent;
    unsent = [];
    // Without a parent there are no others for long.
    parent.call('changed', { ids }).catch(() => {});
  };
  parent.onChanged((ids) => {
    for (const id of ids) own.note(id);
  });
  return {
    note(id) {
      own.note(id);
      // The ids of one turn are one message.
      if (unsent.push(id) === 1) queueMicrotask(send);
    },
    hasChanged: own.hasChanged,
  };
}

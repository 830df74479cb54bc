import { useId } from 'react';
import { useNow } from '../lib/now.ts';
import { exactTime, timeAgo } from '../lib/time.ts';
import { Tip, useTip } from './Tip.tsx';

export interface RelativeTimeProps {
  /** Null means never. */
  readonly at: string | null;
  readonly timeZone: string;
}

/** Time that has passed since a moment. Hover or tap shows the exact time. It is not a tab stop, because a list has hundreds of them. */
export function RelativeTime({ at, timeZone }: RelativeTimeProps) {
  const words = timeAgo(at, useNow());
  const tip = useId();
  const { anchor, close, handlers } = useTip();
  if (at === null) return words;
  return (
    <time dateTime={at} aria-describedby={anchor && tip} {...handlers}>
      {words}
      {anchor && (
        <Tip id={tip} anchor={anchor} onClose={close}>
          {exactTime(at, timeZone)}
        </Tip>
      )}
    </time>
  );
}

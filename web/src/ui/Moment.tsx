import { useId } from 'react';
import { useNow } from '../lib/now.ts';
import { exactTime, timeAgo } from '../lib/time.ts';
import { Tip } from './Tip.tsx';
import { useTip } from './use-tip.ts';

export interface MomentProps {
  /** Null is never. */
  readonly at: string | null;
  readonly timeZone: string;
}

/** How long ago. Pointer or tap show the exact time; it is no stop of the Tab key, since a list has hundreds. */
export function Moment({ at, timeZone }: MomentProps) {
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

import { type SyntheticEvent, useState } from 'react';
import { formatCount } from '../../../lib/format.ts';

export interface PageNumberProps {
  readonly page: number;
  readonly last: number;
  readonly onGo: (page: number) => void;
}

/** `Page [3] of 500`: another number and Enter lead there. */
export function PageNumber({ page, last, onGo }: PageNumberProps) {
  const [text, setText] = useState(String(page));
  const [shown, setShown] = useState(page);
  const restore = () => setText(String(page));
  if (shown !== page) {
    setShown(page);
    restore();
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const wanted = Math.min(last, Math.max(1, Math.round(Number(text))));
    if (Number.isNaN(wanted) || wanted === page) restore();
    else onGo(wanted);
  };
  return (
    <form noValidate onSubmit={submit} className="flex items-center gap-2 px-1 text-s whitespace-nowrap text-muted">
      Page
      <input
        aria-label={`Page, of ${last}`}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="go"
        value={text}
        size={String(last).length}
        onChange={(event) => setText(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={restore}
        className={look}
      />
      <span>
        of <span className="figures text-ink">{formatCount(last)}</span>
      </span>
    </form>
  );
}

const look =
  'box-content h-[calc(var(--control)-2px)] min-w-5 rounded-m border border-edge bg-surface px-2 text-center figures text-s text-ink focus-visible:outline-offset-0';

import type { ReactNode } from 'react';
import { formatCount, formatSize } from '../../../lib/format.ts';
import { Moment } from '../../../ui/Moment.tsx';
import type { FactsProps } from './list-props.ts';

/** What the table has in columns, on a card. */
export function FileFacts({ file, timeZone }: Pick<FactsProps, 'file' | 'timeZone'>) {
  return (
    <div className="col-[2/-1] grid gap-y-0.5 pr-3 pb-2 text-s whitespace-nowrap text-muted">
      <dl className="flex gap-x-4">
        {file.extension !== '' && (
          <Fact hidden name="Type">
            <span className="block max-w-24 truncate">{file.extension}</span>
          </Fact>
        )}
        <Fact hidden name="Size">
          <span className="figures text-ink">{formatSize(file.size)}</span>
        </Fact>
        <div className="flex flex-row-reverse gap-1.5">
          <dt>{file.hits === 1 ? 'hit' : 'hits'}</dt>
          <dd className="figures">{formatCount(file.hits)}</dd>
        </div>
      </dl>
      <dl className="flex flex-wrap gap-x-4">
        <Fact name="Accessed">
          <Moment at={file.last_accessed} timeZone={timeZone} />
        </Fact>
        <Fact name="Uploaded">
          <Moment at={file.time_added} timeZone={timeZone} />
        </Fact>
      </dl>
    </div>
  );
}

function Fact({
  name,
  hidden,
  children,
}: {
  readonly name: string;
  readonly hidden?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex gap-1.5">
      <dt className={hidden ? 'sr-only' : undefined}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

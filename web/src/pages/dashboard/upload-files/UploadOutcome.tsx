import { formatTimeLeft, formatTransferSpeed } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import type { QueueItem } from './queue.ts';
import { UploadLink } from './UploadLink.tsx';
import { secondsLeft } from './views.ts';

export interface UploadOutcomeProps {
  readonly item: QueueItem;
  /** What speaks against the file, while it waits. */
  readonly warning: string | undefined;
}

export function UploadOutcome({ item, warning }: UploadOutcomeProps) {
  const { file, status } = item;
  if (status === 'success') return <UploadLink name={shownName(file.name)} url={item.url} />;
  if (status === 'error') return <Failure item={item} />;
  if (status === 'canceled') return <p className="text-s text-muted">{item.error}</p>;
  return (
    <>
      {status === 'uploading' ? <Moving item={item} /> : <Waiting warning={warning} />}
      <div className="mt-2">
        <ProgressBar value={item.progress} label={`${shownName(file.name)} upload`} />
      </div>
    </>
  );
}

const Failure = ({ item: { error, hint } }: Pick<UploadOutcomeProps, 'item'>) => (
  <>
    <p className="text-s text-danger">{error}</p>
    {hint !== '' && <p className="text-s text-muted">{hint}</p>}
  </>
);

const Waiting = ({ warning }: Pick<UploadOutcomeProps, 'warning'>) =>
  warning === undefined ? (
    <p className="text-s text-muted">Waiting</p>
  ) : (
    <p className="text-s text-buoy-ink">{warning}</p>
  );

function Moving({ item }: Pick<UploadOutcomeProps, 'item'>) {
  if (item.held) return <p className="text-s text-muted">Waiting to try again...</p>;
  if (item.progress >= 1) return <p className="text-s text-muted">Server processing file, please wait...</p>;
  const left = secondsLeft(item);
  return (
    <p className="flex flex-wrap gap-x-4 figures text-s text-muted">
      <span>{Math.floor(item.progress * 100)}%</span>
      {item.speed !== undefined && <span>{formatTransferSpeed(item.speed)}</span>}
      {left !== undefined && <span>{formatTimeLeft(left)}</span>}
    </p>
  );
}

import { memo } from 'react';
import { formatCount, formatSize } from '../../../lib/format.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { CopyLink } from './CopyLink.tsx';
import { FavoriteButton } from './FavoriteButton.tsx';
import { FileName } from './FileName.tsx';
import type { RowProps } from './list-props.ts';
import { Moment } from './Moment.tsx';
import { noChange } from './no-change.ts';

export const FileCard = memo(function FileCard({ file, rule, chosen, onSelect, previews, timeZone }: RowProps) {
  return (
    <li
      data-chosen={chosen || undefined}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-1 p-1 data-chosen:bg-sea-wash"
    >
      <Checkbox
        label={`Select ${file.original_name}`}
        checked={chosen}
        onChange={noChange}
        onClick={(event) => onSelect(file.name, event.shiftKey)}
      />
      <FileName file={file} rule={rule} previews={previews} />
      <div className="flex">
        <FavoriteButton file={file} />
        <CopyLink file={file} rule={rule} />
      </div>
      <dl className="col-[2/-1] flex flex-wrap gap-x-4 gap-y-0.5 pr-3 pb-2 text-s text-muted">
        <div className="flex gap-1.5">
          <dt className="sr-only">Size</dt>
          <dd className="figures text-ink">{formatSize(file.size)}</dd>
        </div>
        <div className="flex flex-row-reverse gap-1.5">
          <dt>{file.hits === 1 ? 'hit' : 'hits'}</dt>
          <dd className="figures">{formatCount(file.hits)}</dd>
        </div>
        <div className="flex gap-1.5">
          <dt>Accessed</dt>
          <dd>
            <Moment at={file.last_accessed} timeZone={timeZone} />
          </dd>
        </div>
        <div className="flex gap-1.5">
          <dt>Uploaded</dt>
          <dd>
            <Moment at={file.time_added} timeZone={timeZone} />
          </dd>
        </div>
      </dl>
    </li>
  );
});

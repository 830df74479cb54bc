import { memo } from 'react';
import { formatCount, formatSize } from '../../../lib/format.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { CopyLink } from './CopyLink.tsx';
import { FavoriteButton } from './FavoriteButton.tsx';
import { FileName } from './FileName.tsx';
import type { RowProps } from './list-props.ts';
import { Moment } from './Moment.tsx';
import { noChange } from './no-change.ts';

/** Choosing one file does not draw the other rows again. */
export const FileRow = memo(function FileRow({ file, rule, chosen, onSelect, previews, timeZone }: RowProps) {
  return (
    <tr data-chosen={chosen || undefined} className="h-15 hover:bg-paper data-chosen:bg-sea-wash">
      <td className="pl-3">
        <Checkbox
          label={`Select ${file.original_name}`}
          checked={chosen}
          onChange={noChange}
          onClick={(event) => onSelect(file.name, event.shiftKey)}
        />
      </td>
      {/* A width of nothing and all of the rest: the name takes what the other columns leave. */}
      <td className="w-full max-w-0 px-2">
        <FileName file={file} rule={rule} previews={previews} />
      </td>
      <td className="max-w-20 truncate px-2 text-s text-muted">{file.extension}</td>
      <td className="px-2 text-right figures text-s whitespace-nowrap">{formatSize(file.size)}</td>
      <td className="px-2 text-right figures text-s">{formatCount(file.hits)}</td>
      <td className="px-2 text-s whitespace-nowrap text-muted">
        <Moment at={file.last_accessed} timeZone={timeZone} />
      </td>
      <td className="px-2 text-s whitespace-nowrap">
        <Moment at={file.time_added} timeZone={timeZone} />
      </td>
      <td className="pr-3">
        <div className="flex justify-end">
          <FavoriteButton file={file} />
          <CopyLink file={file} rule={rule} />
        </div>
      </td>
    </tr>
  );
});

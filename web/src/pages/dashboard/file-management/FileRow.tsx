import { memo } from 'react';
import { formatCount, formatSize } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Moment } from '../../../ui/Moment.tsx';
import { CopyLink } from './CopyLink.tsx';
import { FavoriteButton } from './FavoriteButton.tsx';
import { FileName } from './FileName.tsx';
import type { DrawnRowProps, FactsProps } from './list-props.ts';
import { noChange } from './no-change.ts';

/** Choosing one file does not draw the other rows again, nor more of its own than the box. */
export const FileRow = memo(function FileRow({ index, chosen, onSelect, ...facts }: DrawnRowProps) {
  const { name, original_name } = facts.file;
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      data-chosen={chosen || undefined}
      className="h-15 hover:bg-paper data-chosen:bg-sea-wash"
    >
      <td className="pl-3">
        <Checkbox
          label={`Select ${shownName(original_name)}`}
          checked={chosen}
          onChange={noChange}
          onClick={(event) => onSelect(name, event.shiftKey)}
        />
      </td>
      <FactCells {...facts} />
    </tr>
  );
});

const FactCells = memo(function FactCells({ file, rule, previews, timeZone }: FactsProps) {
  return (
    <>
      <td className="px-2">
        <FileName file={file} rule={rule} previews={previews} />
      </td>
      <td className="truncate px-2 text-s text-muted">{shownName(file.extension)}</td>
      <td className="px-2 text-right figures text-s whitespace-nowrap">{formatSize(file.size)}</td>
      <td className="px-2 text-right figures text-s">{formatCount(file.hits)}</td>
      <td className="px-2 pl-6 text-s whitespace-nowrap text-muted">
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
    </>
  );
});

import { memo } from 'react';
import { shownName } from '../../../lib/shown-name.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { CopyLink } from './CopyLink.tsx';
import { FavoriteButton } from './FavoriteButton.tsx';
import { FileFacts } from './FileFacts.tsx';
import { FileName } from './FileName.tsx';
import type { DrawnRowProps, FactsProps } from './list-props.ts';
import { noChange } from './no-change.ts';

export interface FileCardProps extends DrawnRowProps {
  /** How many cards there are, drawn or not. */
  readonly of: number;
  /** The height of the cards above that are not drawn. */
  readonly gap: number;
}

export const FileCard = memo(function FileCard({ index, of, gap, chosen, onSelect, ref, ...facts }: FileCardProps) {
  const { name, original_name } = facts.file;
  return (
    <li
      ref={ref}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={of}
      data-chosen={chosen || undefined}
      style={gap === 0 ? undefined : { marginTop: gap }}
      className={look}
    >
      <Checkbox
        label={`Select ${shownName(original_name)}`}
        checked={chosen}
        onChange={noChange}
        onClick={(event) => onSelect(name, event.shiftKey)}
      />
      <CardFacts {...facts} />
    </li>
  );
});

const CardFacts = memo(function CardFacts({ file, rule, previews, timeZone }: FactsProps) {
  return (
    <>
      <FileName file={file} rule={rule} previews={previews} />
      <div className="flex">
        <FavoriteButton file={file} />
        <CopyLink file={file} rule={rule} />
      </div>
      <FileFacts file={file} timeZone={timeZone} />
    </>
  );
});

const look =
  'grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-1 border-b border-line p-1 last:border-0 data-chosen:bg-sea-wash';

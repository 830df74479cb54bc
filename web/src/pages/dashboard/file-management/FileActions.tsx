import { Star } from 'lucide-react';
import { useFavorite } from '../../../components/use-favorite.ts';
import { publicLink } from '../../../lib/link.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ariaDisabledUnless } from '../../../ui/aria-disabled.ts';
import { toast } from '../../../ui/toast.tsx';
import { FileMenu } from './FileMenu.tsx';
import type { FactsProps } from './list-props.ts';

type FileActionsProps = Omit<FactsProps, 'previews' | 'timeZone'>;

export function FileActions({ file, rule, onDeleted, ...stop }: FileActionsProps) {
  return (
    <>
      <FavoriteButton file={file} {...stop} />
      <CopyLink file={file} rule={rule} {...stop} />
      <FileMenu file={file} rule={rule} onDeleted={onDeleted} {...stop} />
    </>
  );
}

function FavoriteButton({ file, ...stop }: Pick<FactsProps, 'file' | 'tabIndex'>) {
  const { flip, isFlipping } = useFavorite();
  return (
    <IconButton
      label={`Favorite ${shownName(file.original_name)}`}
      aria-pressed={file.is_favorite}
      {...ariaDisabledUnless(!isFlipping, () => void flip(file.name))}
      className={look}
      {...stop}
    >
      <Star />
    </IconButton>
  );
}

const look =
  'touch:w-11 aria-pressed:text-buoy! aria-pressed:[&_svg]:fill-current aria-disabled:cursor-not-allowed aria-disabled:opacity-60 aria-disabled:hover:bg-transparent';

function CopyLink({ file, rule, ...stop }: Pick<FactsProps, 'file' | 'rule' | 'tabIndex'>) {
  return (
    <CopyButton
      text={publicLink(file, rule)}
      label={`Copy link of ${shownName(file.original_name)}`}
      onCopied={tellCopied}
      {...stop}
    />
  );
}

function tellCopied(copied: boolean): void {
  if (copied) toast.success('Link copied to clipboard!');
  else toast.error('Failed to copy link');
}

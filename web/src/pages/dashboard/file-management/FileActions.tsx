import type { StoredFile } from '@holdfast/contract/src/files.ts';
import { Star } from 'lucide-react';
import { useFavorite } from '../../../components/use-favorite.ts';
import { publicLink } from '../../../lib/link.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ariaDisabledUnless } from '../../../ui/aria-disabled.ts';
import { toast } from '../../../ui/toast.tsx';
import { FileMenu } from './FileMenu.tsx';
import type { RowProps } from './list-props.ts';

type FileActionsProps = Pick<RowProps, 'file' | 'rule' | 'onDeleted'>;

export function FileActions({ file, rule, onDeleted }: FileActionsProps) {
  return (
    <>
      <FavoriteButton file={file} />
      <CopyLink file={file} rule={rule} />
      <FileMenu file={file} rule={rule} onDeleted={onDeleted} />
    </>
  );
}

function FavoriteButton({ file }: { readonly file: StoredFile }) {
  const { flip, isFlipping } = useFavorite();
  return (
    <IconButton
      label={`Favorite ${shownName(file.original_name)}`}
      aria-pressed={file.is_favorite}
      {...ariaDisabledUnless(!isFlipping, () => void flip(file.name))}
      className={look}
    >
      <Star />
    </IconButton>
  );
}

const look =
  'touch:w-11 aria-pressed:text-buoy aria-pressed:[&_svg]:fill-current aria-disabled:cursor-not-allowed aria-disabled:opacity-60 aria-disabled:hover:bg-transparent';

function CopyLink({ file, rule }: Pick<RowProps, 'file' | 'rule'>) {
  return (
    <CopyButton
      text={publicLink(file, rule)}
      label={`Copy link of ${shownName(file.original_name)}`}
      onCopied={tellCopied}
    />
  );
}

function tellCopied(copied: boolean): void {
  if (copied) toast.success('Link copied to clipboard!');
  else toast.error('Failed to copy link');
}

import type { StoredFile } from '@holdfast/contract/src/files.ts';
import { Star } from 'lucide-react';
import { useToggleFavorite } from '../../../api/files.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { pressIf } from '../../../ui/press-if.ts';
import { toast } from '../../../ui/toast.ts';

export function FavoriteButton({ file }: { readonly file: StoredFile }) {
  const { mutateAsync, isPending } = useToggleFavorite();
  const flip = async () => {
    try {
      const { file_info } = await mutateAsync(file.name);
      toast.success(file_info.is_favorite ? 'Added to favorites' : 'Removed from favorites');
    } catch {
      toast.error('Failed to update favorite');
    }
  };
  return (
    <IconButton
      label={`Favorite ${shownName(file.original_name)}`}
      aria-pressed={file.is_favorite}
      {...pressIf(!isPending, () => void flip())}
      className={look}
    >
      <Star />
    </IconButton>
  );
}

const look =
  'touch:w-11 aria-pressed:text-buoy aria-pressed:[&_svg]:fill-current aria-disabled:cursor-not-allowed aria-disabled:opacity-60 aria-disabled:hover:bg-transparent';

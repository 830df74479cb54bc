import type { File } from '@holdfast/contract/src/files.ts';
import { Star } from 'lucide-react';
import { useToggleFavorite } from '../../../api/files.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { toast } from '../../../ui/toast.ts';

export function FavoriteButton({ file }: { readonly file: File }) {
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
      label={`Favorite ${file.original_name}`}
      aria-pressed={file.is_favorite}
      disabled={isPending}
      onClick={() => void flip()}
      className="touch:w-11 disabled:opacity-100 aria-pressed:text-buoy aria-pressed:[&_svg]:fill-current"
    >
      <Star />
    </IconButton>
  );
}

import { useToggleFavorite } from '../api/files.ts';
import { toast } from '../ui/toast.tsx';

export function useFavorite() {
  const { mutateAsync, isPending } = useToggleFavorite();
  const flip = async (name: string) => {
    try {
      const answer = await mutateAsync(name);
      if (answer) toast.success(answer.file_info.is_favorite ? 'Added to favorites' : 'Removed from favorites');
    } catch {
      toast.error('Failed to update favorite');
    }
  };
  return { flip, isFlipping: isPending } as const;
}

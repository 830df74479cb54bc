import { RefreshCw, Star, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDeletion } from '../../../components/use-deletion.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ariaDisabledUnless } from '../../../ui/aria-disabled.ts';
import { Switch } from '../../../ui/Switch.tsx';

export interface ToolsProps {
  readonly filter: ReactNode;
  readonly favorites: boolean;
  readonly onFavorites: (only: boolean) => void;
  readonly selected: ReadonlySet<string>;
  readonly refreshing: boolean;
  readonly onRefresh: () => void;
  readonly onDeleted: (names: readonly string[]) => void;
  readonly previews: boolean;
  readonly onPreviews: (on: boolean) => void;
}

export function Tools({
  filter,
  favorites,
  onFavorites,
  selected,
  refreshing,
  onRefresh,
  onDeleted,
  previews,
  onPreviews,
}: ToolsProps) {
  return (
    <div className="mt-6 mb-3 flex flex-wrap items-center gap-2">
      {filter}
      <Button
        aria-pressed={favorites}
        onClick={() => onFavorites(!favorites)}
        className="aria-pressed:border-edge aria-pressed:bg-sea-wash max-sm:w-control max-sm:px-0 [&[aria-pressed=true]_svg]:fill-buoy [&[aria-pressed=true]_svg]:text-buoy"
      >
        <Star aria-hidden />
        <span className="max-sm:sr-only">Favorites</span>
      </Button>
      <DeleteSelected selected={selected} onDeleted={onDeleted} />
      <Button
        busy={refreshing}
        {...ariaDisabledUnless(!refreshing, onRefresh)}
        className="max-sm:w-control max-sm:px-0"
      >
        {!refreshing && <RefreshCw aria-hidden />}
        <span className="max-sm:sr-only">Refresh</span>
      </Button>
      {/* Previews open on hover and on keyboard focus, which touch screens do not have. */}
      <div className="ml-auto max-sm:touch:hidden">
        <Switch checked={previews} onChange={onPreviews} label="Previews" />
      </div>
    </div>
  );
}

/** Deleted files leave the list, and therefore the selection. */
function DeleteSelected({ selected, onDeleted }: Pick<ToolsProps, 'selected' | 'onDeleted'>) {
  const { remove, isDeleting } = useDeletion();
  const deleteSelected = async () => onDeleted(await remove([...selected]));
  return (
    <Button
      variant="danger"
      busy={isDeleting}
      {...ariaDisabledUnless(!isDeleting && selected.size > 0, () => void deleteSelected())}
    >
      {!isDeleting && <Trash2 aria-hidden className="max-sm:hidden" />}
      {isDeleting ? 'Deleting...' : `Delete Selected (${selected.size})`}
    </Button>
  );
}

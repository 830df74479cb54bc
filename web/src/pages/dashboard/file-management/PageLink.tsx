import type { LucideIcon } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { FileListSearch } from '../../../lib/file-list-search.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';

export interface PageLinkProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly to: number;
  /** The page that is shown. */
  readonly from: number;
  readonly last: number;
  readonly address: FileListSearch;
  readonly onTurn: () => void;
}

export function PageLink({ label, icon: Icon, to, from, last, address, onTurn }: PageLinkProps) {
  const disabled = to === from || to < 1 || to > last;
  const turn = (event: MouseEvent) => {
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
    if (!disabled && !elsewhere) onTurn();
  };
  return (
    <ButtonLink
      to="/dashboard/file-management"
      search={{ ...address, page: to }}
      disabled={disabled}
      resetScroll={false}
      aria-label={label}
      title={label}
      onClick={turn}
      className="w-control px-0"
    >
      <Icon aria-hidden />
    </ButtonLink>
  );
}

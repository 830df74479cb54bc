import type { FileList } from '@holdfast/contract/src/files.ts';
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import type { FileListSearch } from '../../../lib/file-list-search.ts';
import { formatCount, formatFiles } from '../../../lib/format.ts';
import { PageLink } from './PageLink.tsx';
import { PageNumber } from './PageNumber.tsx';
import { lastPage, shownRange } from './pages.ts';
import { PageSize } from './PageSize.tsx';

export interface PagerProps {
  readonly pagination: FileList['pagination'];
  readonly address: FileListSearch;
  /** How many files a page of the list has that is shown until the one of the address is there. */
  readonly drawn: number;
  /** Told of a press that leads to another page, for the focus. */
  readonly onTurn: () => void;
  readonly onGo: (page: number) => void;
  readonly onResize: (limit: number) => void;
}

export function Pager({ pagination, address, drawn, onTurn, onGo, onResize }: PagerProps) {
  const { from, to } = shownRange(pagination);
  const last = lastPage(pagination);
  const { page, total_files } = pagination;
  const link = { address, last, onTurn } as const;
  const go = (target: number) => {
    onTurn();
    onGo(target);
  };
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-2">
      <p className="mr-auto text-s text-muted">
        {last > 1 && `${formatCount(from)}–${formatCount(to)} of `}
        {formatFiles(total_files)}
      </p>
      <PageSize limit={address.limit} drawn={drawn} total={total_files} onResize={onResize} />
      {last > 1 && (
        <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-2 max-sm:w-full">
          <PageNumber page={page} last={last} onGo={go} />
          <div className="flex gap-2 max-sm:grow max-sm:justify-between max-sm:gap-1">
            <PageLink {...link} label="First page" to={1} from={page} icon={ChevronFirst} />
            <PageLink {...link} label="Previous" to={page - 1} from={page} icon={ChevronLeft} />
            <PageLink {...link} label="Next" to={page + 1} from={page} icon={ChevronRight} />
            <PageLink {...link} label="Last page" to={last} from={page} icon={ChevronLast} />
          </div>
        </nav>
      )}
    </div>
  );
}

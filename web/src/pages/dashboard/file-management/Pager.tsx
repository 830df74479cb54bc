import type { FileList } from '@holdfast/contract/src/files.ts';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatCount, formatFiles } from '../../../lib/format.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { lastPage, shownRange } from './pages.ts';
import type { Sorting } from './sorting.ts';

export interface PagerProps {
  readonly pagination: FileList['pagination'];
  readonly sorting: Sorting;
}

export function Pager({ pagination, sorting }: PagerProps) {
  const { from, to } = shownRange(pagination);
  const last = lastPage(pagination);
  const { page, total_files } = pagination;
  if (last === 1) return <p className="mt-3 px-1 text-s text-muted">{formatFiles(total_files)}</p>;
  const go = (target: number) =>
    ({
      to: '/dashboard/file-management',
      search: { ...sorting, page: target },
      disabled: target < 1 || target > last,
    }) as const;
  return (
    <nav aria-label="Pages" className="mt-3 flex flex-wrap items-center gap-2">
      <p className="mr-auto px-1 text-s text-muted">
        {formatCount(from)}–{formatCount(to)} of {formatFiles(total_files)}
      </p>
      <ButtonLink {...go(page - 1)}>
        <ChevronLeft aria-hidden />
        Previous
      </ButtonLink>
      <p className="px-2 text-s text-muted">
        Page <span className="figures text-ink">{formatCount(page)}</span> of{' '}
        <span className="figures text-ink">{formatCount(last)}</span>
      </p>
      <ButtonLink {...go(page + 1)}>
        Next
        <ChevronRight aria-hidden />
      </ButtonLink>
    </nav>
  );
}

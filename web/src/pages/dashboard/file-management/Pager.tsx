import type { FileList } from '@holdfast/contract/src/files.ts';
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';
import { type MouseEvent, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react';
import { type FileListSearch, pageSizes } from '../../../lib/search-params.ts';
import { formatCount, formatFiles } from '../../../lib/format.ts';
import { ButtonLink } from '../../../ui/Button.tsx';
import { Select } from '../../../ui/Select.tsx';
import { lastPage, shownRange } from './pages.ts';

export interface PagerProps {
  readonly pagination: FileList['pagination'];
  readonly address: FileListSearch;
  readonly drawn: number;
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

interface PageSizeProps {
  readonly limit: number;
  readonly drawn: number;
  readonly total: number;
  readonly onResize: (limit: number) => void;
}

/** Selects the number of files per page. Hidden if all files fit on the smallest page. */
function PageSize({ limit, drawn, total, onResize }: PageSizeProps) {
  const select = useRef<HTMLSelectElement>(null);
  const byKey = useRef(false);
  // A longer list pushes the controls below it out of the window. After a choice by keyboard the select is scrolled
  // back into view; a mouse user is on the way to the files. (A select matches `:focus-visible` in both cases.)
  useLayoutEffect(() => {
    const chosenByKey = byKey.current && select.current === document.activeElement;
    if (drawn === limit && chosenByKey) select.current?.scrollIntoView({ block: 'nearest' });
  }, [drawn, limit]);
  if (total <= Math.min(...pageSizes)) return null;
  return (
    <Select
      ref={select}
      aria-label="Files on a page"
      value={limit}
      onKeyDown={() => (byKey.current = true)}
      onPointerDown={() => (byKey.current = false)}
      onChange={(event) => onResize(Number(event.currentTarget.value))}
    >
      {pageSizes.map((size) => (
        <option key={size} value={size}>
          {size} per page
        </option>
      ))}
    </Select>
  );
}

interface PageNumberProps {
  readonly page: number;
  readonly last: number;
  readonly onGo: (page: number) => void;
}

/** `Page [3] of 500`: typing another number and Enter goes to that page. */
function PageNumber({ page, last, onGo }: PageNumberProps) {
  const [text, setText] = useState(String(page));
  const [shown, setShown] = useState(page);
  const restore = () => setText(String(page));
  if (shown !== page) {
    setShown(page);
    restore();
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const typed = text.trim() === '' ? page : Math.round(Number(text));
    const wanted = Math.min(last, Math.max(1, typed));
    if (Number.isNaN(wanted) || wanted === page) restore();
    else onGo(wanted);
  };
  return (
    <form noValidate onSubmit={submit} className="flex items-center gap-2 px-1 text-s whitespace-nowrap text-muted">
      Page
      <input
        aria-label={`Page, of ${last}`}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="go"
        value={text}
        size={String(last).length}
        onChange={(event) => setText(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={restore}
        className={fieldLook}
      />
      <span>
        of <span className="figures text-ink">{formatCount(last)}</span>
      </span>
    </form>
  );
}

const fieldLook =
  'box-content h-[calc(var(--control)-2px)] min-w-5 rounded-m border border-edge bg-surface px-2 text-center figures text-s text-ink focus-visible:outline-offset-0';

interface PageLinkProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly to: number;
  readonly from: number;
  readonly last: number;
  readonly address: FileListSearch;
  readonly onTurn: () => void;
}

function PageLink({ label, icon: Icon, to, from, last, address, onTurn }: PageLinkProps) {
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

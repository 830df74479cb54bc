import { longestSearch } from '@holdfast/contract/src/files.ts';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import type { FoundFiles } from '../../../api/files.ts';
import { formatCount } from '../../../lib/format.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useFilterText } from './use-filter-text.ts';
import { useSlashKey } from './use-slash-key.ts';

export interface FilterBoxProps {
  /** The filter of the address. */
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly list: FoundFiles | undefined;
}

export function FilterBox({ search, onSearch, list }: FilterBoxProps) {
  const { text, setText, sendNow, clear } = useFilterText(search, onSearch);
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(field);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') sendNow();
    if (event.key !== 'Escape') return;
    // By itself it would empty the field without a word to the address.
    event.preventDefault();
    clear();
  };
  const clearByPress = () => {
    clear();
    field.current?.focus();
  };
  return (
    <div className="relative w-full sm:w-72">
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
      <input
        ref={field}
        type="search"
        aria-label={words}
        aria-keyshortcuts="/"
        placeholder={words}
        value={text}
        maxLength={longestSearch}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        className={look}
      />
      {text === '' ? (
        <kbd aria-hidden className={key}>
          /
        </kbd>
      ) : (
        <div className="absolute inset-y-0 right-0 flex items-center">
          {list && list.search !== '' && (
            <span aria-hidden className="figures text-s text-muted">
              {formatCount(list.pagination.total_files)} found
            </span>
          )}
          <IconButton label="Clear" onClick={clearByPress}>
            <X />
          </IconButton>
        </div>
      )}
    </div>
  );
}

const words = 'Filter by name or type';
const look =
  'h-control w-full rounded-m border border-edge bg-surface pr-32 pl-9 text-m text-ink focus-visible:outline-offset-0 ' +
  'placeholder-shown:pr-3 [&::-webkit-search-cancel-button]:hidden max-sm:text-l';
const key =
  'pointer-events-none absolute top-1/2 right-2.5 grid size-5 -translate-y-1/2 place-items-center rounded-s border border-line text-s text-muted max-sm:hidden touch:hidden';

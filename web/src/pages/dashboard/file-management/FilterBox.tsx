import { longestSearch } from '@holdfast/contract/src/limits.ts';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FoundFiles } from '../../../api/files.ts';
import { formatCount } from '../../../lib/format.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useSlashKey } from './keyboard-shortcuts.ts';

export interface FilterBoxProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly list: FoundFiles | undefined;
}

export function FilterBox({ search, onSearch, list }: FilterBoxProps) {
  const { text, setText, setComposing, sendNow, clear } = useFilterText(search, onSearch);
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(field);
  const onKeyDown = (event: KeyboardEvent) => {
    // The keys belong to the word that is being composed.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') sendNow();
    if (event.key !== 'Escape') return;
    // By default Escape would empty the field without updating the address.
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
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
        className={look}
      />
      {text === '' ? (
        <kbd aria-hidden className={key}>
          /
        </kbd>
      ) : (
        <div className="absolute inset-y-0 right-0 flex items-center">
          {list && list.wanted.search !== '' && (
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

/** The text in the filter box. The address is updated after a pause, and changes of the address update the text. */
function useFilterText(search: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(search);
  const [known, setKnown] = useState(search);
  const [sent, setSent] = useState<string>();
  const [composing, setComposing] = useState(false);
  if (search !== known) {
    setKnown(search);
    // The navigation caused by typing must not overwrite what has been typed since.
    if (search === sent) setSent(undefined);
    else if (text.trim() === known) setText(search);
  }
  const send = (written: string) => {
    if (written === search) return;
    setSent(written);
    onSearch(written);
  };
  const sendAfterPause = useEffectEvent(send);
  useEffect(() => {
    if (composing || text.trim() === search) return;
    const timer = setTimeout(() => sendAfterPause(text.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [text, search, composing]);
  const clear = () => {
    setText('');
    send('');
  };
  return { text, setText, setComposing, sendNow: () => send(text.trim()), clear } as const;
}

/** Pause after the last keystroke before the filter is applied. */
const pauseMs = 200;

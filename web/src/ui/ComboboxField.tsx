import { Check, ChevronDown, Search } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, useId, useState } from 'react';
import { Field, inputLook } from './Field.tsx';
import { matchOptions } from './match-options.ts';
import { pageContent } from './page-content.ts';
import type { SelectFieldProps } from './SelectField.tsx';

/** Field for one of hundreds of options, with a list that is searched by typing. */
export function ComboboxField({ label, hint, options, value, onChange }: SelectFieldProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const pick = (option: string) => {
    setOpen(false);
    if (option !== value) onChange(option);
  };
  // By default Tab would cycle inside the list.
  const leaveByTab = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    setOpen(false);
  };
  return (
    <Field id={id} label={label} hint={hint}>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger
          id={id}
          aria-label={`${label}: ${value}`}
          aria-describedby={`${id}-note`}
          className={`${inputLook} flex items-center justify-between gap-2 text-left text-m`}
        >
          <span className="truncate">{value}</span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
        </Popover.Trigger>
        <Popover.Portal container={pageContent()}>
          <Popover.Content
            align="start"
            sideOffset={4}
            collisionPadding={16}
            aria-label={label}
            onKeyDown={leaveByTab}
            className="z-50 w-(--radix-popover-trigger-width) animate-appear rounded-m border border-edge bg-surface p-1 text-m text-ink"
          >
            <SearchableList label={label} options={options} value={value} onPick={pick} />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </Field>
  );
}

interface SearchableListProps {
  readonly label: string;
  readonly options: readonly string[];
  readonly value: string;
  readonly onPick: (option: string) => void;
}

/**
 * The focus stays in the search field, and the arrow keys move a highlight through the list (the ARIA combobox
 * pattern).
 */
function SearchableList({ label, options, value, onPick }: SearchableListProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(value);
  const found = matchOptions(options, typed);
  const at = Math.max(0, found.indexOf(marked));
  const mark = found[at];

  const search = (text: string) => {
    setTyped(text);
    setMarked(matchOptions(options, text)[0] ?? '');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && mark !== undefined) onPick(mark);
    const next = found[nextIndex(event.key, at, found.length)];
    if (next === undefined) return;
    event.preventDefault();
    setMarked(next);
  };
  return (
    <>
      <div className="flex items-center gap-2 rounded-[6px] border border-edge px-2.5 has-focus-visible:outline-2 has-focus-visible:outline-sea">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <input
          role="combobox"
          aria-label={`Search ${label}`}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={mark === undefined ? undefined : `${id}-${options.indexOf(mark)}`}
          autoComplete="off"
          spellCheck={false}
          placeholder="Type to search"
          value={typed}
          onChange={(event) => search(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          className="h-control min-w-0 flex-1 bg-transparent outline-none"
        />
      </div>
      <div
        id={`${id}-list`}
        // A select element has no field to type into.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        aria-label={label}
        className="max-h-64 overflow-y-auto overscroll-contain pt-1"
      >
        {found.map((option) => (
          <Option
            key={option}
            id={`${id}-${options.indexOf(option)}`}
            option={option}
            chosen={option === value}
            marked={option === mark}
            onPick={onPick}
          />
        ))}
      </div>
      <output className={found.length === 0 ? 'block px-2.5 py-2 text-muted' : 'sr-only'}>
        {found.length === 0 ? `Nothing matches '${typed.trim()}'` : `${found.length} found`}
      </output>
    </>
  );
}

interface OptionProps {
  readonly id: string;
  readonly option: string;
  readonly chosen: boolean;
  readonly marked: boolean;
  readonly onPick: (option: string) => void;
}

function Option({ id, option, chosen, marked, onPick }: OptionProps) {
  return (
    // Keyboard users operate the list from the search field above.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see above
      role="option"
      aria-selected={chosen}
      data-marked={marked || undefined}
      ref={marked ? bringIntoView : null}
      onClick={() => onPick(option)}
      className="flex min-h-control scroll-my-(--control) cursor-pointer items-center gap-2.5 rounded-[6px] px-2.5 hover:bg-sunken data-marked:bg-sunken"
    >
      <span className="min-w-0 flex-1 truncate">{option}</span>
      {chosen && <Check aria-hidden className="size-4 shrink-0 text-sea" />}
    </div>
  );
}

const bringIntoView = (option: HTMLDivElement | null) => option?.scrollIntoView({ block: 'nearest' });

function nextIndex(key: string, at: number, length: number): number {
  if (key === 'ArrowDown') return (at + 1) % length;
  if (key === 'ArrowUp') return (at - 1 + length) % length;
  return -1;
}

/** New files arrive while others are uploaded. A row that is pointed at must not be another one when it is pressed. */
import { type FocusEvent, type RefObject, useCallback, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { FoundFiles } from '../../../api/files.ts';

/** The newest facts, with the rows in the places that they had. */
export function keepPlaces(kept: FoundFiles, newest: FoundFiles): FoundFiles {
  const facts = new Map(newest.files.map((file) => [file.name, file]));
  return { ...newest, files: kept.files.map((file) => facts.get(file.name) ?? file) };
}

/** Whether a row would be in another place in the newest list. Rows at its end move nothing. */
export const movesRows = (kept: FoundFiles, newest: FoundFiles): boolean =>
  kept.files.some(({ name }, at) => newest.files[at]?.name !== name);

export function withoutFiles(list: FoundFiles, names: readonly string[]): FoundFiles {
  const files = list.files.filter(({ name }) => !names.includes(name));
  const total_files = list.pagination.total_files - (list.files.length - files.length);
  return { ...list, files, pagination: { ...list.pagination, total_files } };
}

/** Keeps the rows in their places until `show`, apart from those that the user removes. */
export function useSteadyList(newest: FoundFiles | undefined) {
  const [kept, setKept] = useState(newest);
  // Another page, sort order or filter is shown at once.
  const isSame = kept !== undefined && kept.wanted === newest?.wanted;
  if (!isSame && kept !== newest) setKept(newest);
  return {
    list: isSame && newest ? keepPlaces(kept, newest) : newest,
    newFiles: isSame && newest ? Math.max(0, newest.pagination.total_files - kept.pagination.total_files) : 0,
    show: setKept,
    remove: useCallback((names: readonly string[]) => setKept((list) => list && withoutFiles(list, names)), []),
  } as const;
}

export interface RowsInUse {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly onPointerOut: () => void;
  readonly onBlur: (event: FocusEvent) => void;
}

export interface RowsInUseOptions {
  readonly newest: FoundFiles | undefined;
  readonly shown: FoundFiles | undefined;
  readonly isSelecting: boolean;
  readonly show: (list: FoundFiles | undefined) => void;
}

/** Calls `show` for each new list, but not while the pointer or the focus is in a row, or a file is selected. */
export function useRowsInUse({ newest, shown, isSelecting, show }: RowsInUseOptions): RowsInUse {
  const ref = useRef<HTMLDivElement>(null);
  const showIfUnused = (list: FoundFiles | undefined, selecting: boolean) => {
    // A finger that is about to tap points at nothing yet.
    const mayBeAimedAt = shown && list && matchMedia('(hover: none)').matches && movesRows(shown, list);
    if (!selecting && !mayBeAimedAt && !ref.current?.querySelector(rowInUse)) show(list);
  };
  const onChange = useEffectEvent(showIfUnused);
  useLayoutEffect(() => onChange(newest, isSelecting), [newest, isSelecting]);
  return {
    ref,
    onPointerOut: () => showIfUnused(newest, isSelecting),
    onBlur: ({ currentTarget, relatedTarget }) => {
      if (!currentTarget.contains(relatedTarget)) showIfUnused(newest, isSelecting);
    },
  };
}

const rowInUse = '[data-index]:is(:hover, :focus-within)';

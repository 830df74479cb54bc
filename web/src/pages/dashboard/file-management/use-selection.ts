import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { nothingSelected, onScreen, selectAll, toggle, toggleRange } from './selection.ts';

/** Which of the files on the screen are chosen: by click, shift-click, Ctrl-A and Escape. */
export function useSelection(list: readonly string[]) {
  const [selection, setSelection] = useState(nothingSelected);
  const selected = useMemo(() => new Set(onScreen(selection, list)), [selection, list]);
  const choose = useCallback(
    (name: string, withShift: boolean) =>
      setSelection((now) => (withShift ? toggleRange(now, name, list) : toggle(now, name))),
    [list],
  );
  const chooseAll = (all: boolean) => setSelection(all ? selectAll(list) : nothingSelected);
  useSelectionKeys(
    () => chooseAll(true),
    () => chooseAll(false),
  );
  return { selected, choose, chooseAll } as const;
}

function useSelectionKeys(onAll: () => void, onNone: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    if (event.key === 'Escape') onNone();
    if (event.key.toLowerCase() !== 'a' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onAll();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

/** In a field, Ctrl-A means its text; in a menu or a dialog, the page behind it is not meant. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), textarea, select, dialog, [role=menu]') !== null;

import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { isTyping } from './is-typing.ts';
import { keepShown, nothingSelected, selectAll, toggle, toggleRange } from './selection.ts';

/** Which of the files on the screen are chosen: by click, shift-click, Ctrl-A and Escape. */
export function useSelection(list: readonly string[]) {
  const [now, setNow] = useState({ selection: nothingSelected, list });
  if (now.list !== list) setNow({ selection: keepShown(now.selection, list), list });
  // It stays the same function, so that rows need not be drawn again.
  const choose = useCallback(
    (name: string, withShift: boolean) =>
      setNow(({ selection, list: shown }) => ({
        selection: withShift ? toggleRange(selection, name, shown) : toggle(selection, name),
        list: shown,
      })),
    [],
  );
  const chooseAll = (all: boolean) => setNow({ selection: all ? selectAll(list) : nothingSelected, list });
  useSelectionKeys(
    () => chooseAll(true),
    () => chooseAll(false),
  );
  return { selected: now.selection.names, choose, chooseAll } as const;
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

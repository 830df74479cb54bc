import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect, useEffectEvent } from 'react';
import { isTyping } from '../../../lib/is-typing.ts';

/** '/' focuses the field, unless the user is typing in another one. */
export function useSlashKey(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [field]);
}

/** Ctrl-A (or Cmd-A) selects all files, Escape none. */
export function useSelectionKeys(onAll: () => void, onNone: () => void): void {
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

/** In a grid the Tab key stops at the first control of each row. The arrow keys move within the row and between rows. */
export function moveByArrow(event: ReactKeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const row = event.target instanceof Element ? event.target.closest('[data-index]') : null;
  if (!row) return;
  const controls = controlsOf(row);
  const at = controls.findIndex((control) => control === event.target);
  const index = Number(row.getAttribute('data-index'));
  const rowAt = (other: number) => row.parentElement?.querySelector(`[data-index="${other}"]`);
  const moves: Readonly<Record<string, () => HTMLElement | undefined>> = {
    ArrowRight: () => controls[at + 1],
    ArrowLeft: () => controls[at - 1],
    ArrowDown: () => controlsOf(rowAt(index + 1))[at],
    ArrowUp: () => controlsOf(rowAt(index - 1))[at],
    Home: () => controls[0],
    End: () => controls.at(-1),
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  move()?.focus();
}

const controlsOf = (row: Element | null | undefined): readonly HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>('input, a, button') ?? []),
];

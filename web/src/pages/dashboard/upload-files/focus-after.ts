import { flushSync } from 'react-dom';

/** Ids of the controls that take the focus when the focused one disappears. */
export const places = {
  browse: 'browse-files',
  start: 'upload-files',
  trayShow: 'show-uploads',
  drop: (id: number) => `drop-upload-${id}`,
} as const;

/**
 * Applies a change that removes the pressed control, and moves the focus to the first of the given elements that exists.
 * It is moved before, too: a long list keeps only the focused row and those beside it rendered.
 */
export function focusAfter(change: () => void, ...ids: readonly string[]): void {
  const focusFirst = () =>
    ids
      .map((id) => document.getElementById(id))
      .find((control) => control !== null)
      ?.focus();
  focusFirst();
  flushSync(change);
  focusFirst();
}

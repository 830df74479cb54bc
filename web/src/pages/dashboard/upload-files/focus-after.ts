import { flushSync } from 'react-dom';

/** Ids of the controls that take the focus when the focused one disappears. */
export const places = {
  browse: 'browse-files',
  start: 'upload-files',
  trayShow: 'show-uploads',
  drop: (id: number) => `drop-upload-${id}`,
} as const;

/**
 * Applies a change that removes the pressed control, and moves the focus to the first of the given elements that
 * exists.
 */
export function focusAfter(change: () => void, ...ids: readonly string[]): void {
  flushSync(change);
  for (const id of ids) {
    const control = document.getElementById(id);
    if (control) return control.focus();
  }
}

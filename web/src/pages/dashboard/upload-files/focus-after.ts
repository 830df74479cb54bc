import { flushSync } from 'react-dom';

/** The ids of controls that take the focus when the one that had it goes. */
export const places = {
  browse: 'browse-files',
  start: 'upload-files',
  trayShow: 'show-uploads',
  drop: (id: number) => `drop-upload-${id}`,
} as const;

/** Makes a change that takes away the control that was pressed, and hands the focus to the first place that is there. */
export function focusAfter(change: () => void, ...ids: readonly string[]): void {
  flushSync(change);
  for (const id of ids) {
    const control = document.getElementById(id);
    if (control) return control.focus();
  }
}

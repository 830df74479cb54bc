import { useEffect } from 'react';

/** Files pasted anywhere on the page, such as a screenshot. Pasted text is left alone. */
export function usePastedFiles(onFiles: (files: readonly File[]) => Promise<void>, listens: boolean): void {
  useEffect(() => {
    if (!listens) return undefined;
    const take = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || isMeantAsText(event)) return;
      event.preventDefault();
      void onFiles(files);
    };
    window.addEventListener('paste', take);
    return () => window.removeEventListener('paste', take);
  }, [onFiles, listens]);
}

/** Office programs put a picture of copied text beside the text itself: in a field it is the text that is wanted. */
const isMeantAsText = ({ target, clipboardData }: ClipboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.matches('input, textarea, [contenteditable]') &&
  (clipboardData?.types.includes('text/plain') ?? false);

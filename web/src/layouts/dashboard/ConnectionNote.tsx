import { useSyncExternalStore } from 'react';

/**
 * Shown below the header while the browser reports no connection. The element is always rendered, so that changes are
 * announced.
 */
export function ConnectionNote() {
  const online = useSyncExternalStore(listen, () => navigator.onLine);
  return (
    <output className="sticky top-16 z-30 block bg-buoy-wash text-s text-buoy-ink">
      {!online && (
        <p ref={keepFocusClear} className="animate-appear border-b border-line px-4 py-2 lg:px-8">
          You are offline. You may be seeing old data.
        </p>
      )}
    </output>
  );
}

function listen(onChange: () => void): () => void {
  const listening = new AbortController();
  window.addEventListener('online', onChange, listening);
  window.addEventListener('offline', onChange, listening);
  return () => listening.abort();
}

/** Same as in base.css: the height of the header and some space. */
const padding = 80;

/** Scrolls a focused element to below the note, not behind it. */
function keepFocusClear(note: HTMLElement | null) {
  if (!note) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    style.scrollPaddingTop = `${padding + note.offsetHeight}px`;
  });
  observer.observe(note);
  return () => {
    observer.disconnect();
    style.scrollPaddingTop = '';
  };
}

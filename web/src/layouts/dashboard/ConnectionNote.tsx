import { useSyncExternalStore } from 'react';

/** Under the header while the browser says that there is no connection. Always there, so that it is spoken. */
export function ConnectionNote() {
  const online = useSyncExternalStore(listen, () => navigator.onLine);
  return (
    <output className="sticky top-16 z-30 block bg-buoy-wash text-s text-buoy-ink">
      {!online && (
        <p ref={keepFocusClear} className="animate-appear border-b border-line px-4 py-2 lg:px-8">
          You are offline. What you see may be old; it is renewed when the connection returns.
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

/** As base.css has it: the header and some air. */
const padding = 80;

/** What takes the focus is scrolled to below the note, not behind it. */
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

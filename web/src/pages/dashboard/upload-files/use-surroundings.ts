import { useEffect, useSyncExternalStore } from 'react';
import { setTitleNote } from '../../../lib/document-title.ts';
import type { Uploads } from './uploads.ts';
import { batchPlace, uploadingItem } from './views.ts';

/** Ties the queue to the browser around it: the connection, the tab's title, and leaving the page. */
export function useSurroundings(uploads: Uploads): void {
  useConnection(uploads);
  useTitleNote(uploads);
  useLeaveWarning(uploads);
  // Signing out ends the dashboard, and with it what was on its way.
  useEffect(() => () => uploads.dispatch({ type: 'clear' }), [uploads]);
}

function useConnection(uploads: Uploads): void {
  useEffect(() => {
    const tell = () => uploads.dispatch({ type: 'connection', online: navigator.onLine });
    const listening = new AbortController();
    window.addEventListener('online', tell, listening);
    window.addEventListener('offline', tell, listening);
    return () => listening.abort();
  }, [uploads]);
}

function useTitleNote(uploads: Uploads): void {
  const note = useSyncExternalStore(uploads.subscribe, () => titleNote(uploads));
  useEffect(() => setTitleNote(note), [note]);
  useEffect(() => () => setTitleNote(''), []);
}

function titleNote(uploads: Uploads): string {
  const place = batchPlace(uploads.read());
  if (!place) return '';
  const percent = `${Math.floor(place.progress * 100)}%`;
  return place.total > 1 ? `${percent} (${place.position} of ${place.total})` : percent;
}

/** Only while bytes move: nobody is held back for files that merely wait. */
function useLeaveWarning(uploads: Uploads): void {
  const moving = useSyncExternalStore(uploads.subscribe, () => uploadingItem(uploads.read()) !== undefined);
  useEffect(() => {
    if (!moving) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [moving]);
}

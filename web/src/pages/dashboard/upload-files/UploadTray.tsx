import { Link, useLocation } from '@tanstack/react-router';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { useUploads } from './use-uploads.ts';
import { batchPlace, uploadingItem } from './views.ts';

/** The running batch in a few words, on the dashboard's other pages. */
export function UploadTray() {
  const [queue] = useUploads();
  const { pathname } = useLocation();
  const place = batchPlace(queue);
  if (!place || pathname.replace(/\/$/, '') === '/dashboard') return null;
  return (
    <aside
      aria-label="Uploads"
      className="fixed right-4 bottom-4 left-4 z-40 rounded-m border border-edge bg-surface px-4 py-3 sm:left-auto sm:w-80"
    >
      <div className="flex items-baseline justify-between gap-4">
        <p className="min-w-0 truncate">
          {queue.online ? 'Uploading' : 'Offline, waiting'} <span className="figures">{place.position}</span> of{' '}
          <span className="figures">{place.total}</span>
        </p>
        <Link
          to="/dashboard"
          activeOptions={{ exact: true }}
          className="shrink-0 text-sea underline-offset-4 hover:underline touch:py-3"
        >
          Show
        </Link>
      </div>
      <p className="mb-2 truncate text-s text-muted">{uploadingItem(queue)?.file.name}</p>
      <ProgressBar value={place.progress} label="Progress of all uploads" />
    </aside>
  );
}

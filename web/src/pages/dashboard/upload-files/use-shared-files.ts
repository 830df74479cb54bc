import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { toast } from '../../../ui/toast.tsx';
import { addFiles } from './upload-queue-instance.ts';

// Only pages over HTTPS and on localhost have it, and storage can be forbidden.
if ('serviceWorker' in navigator)
  void navigator.serviceWorker.register('/share-worker.js', { scope: '/share' }).catch(() => {});

/** Adds files that another app has shared, also before the sign-in. */
export function useSharedFiles(owner: string | undefined): void {
  const isShare = useLocation({ select: ({ search }) => 'shared' in search });
  const navigate = useNavigate();
  useEffect(() => {
    let isOpen = true;
    const add = async (to: string) => {
      const files = await takeShared().catch(() => []);
      if (files.length > 0) await addFiles(files, { owner: to, away: false });
      else if (isShare) toast.error('The shared files did not arrive. Share them again.');
      if (isShare && isOpen) await navigate({ to: '/dashboard', replace: true });
    };
    if (owner !== undefined) void add(owner);
    return () => void (isOpen = false);
  }, [owner, isShare, navigate]);
}

const mostAgeMs = 3_600_000;

/** Of what `share-worker.js` keeps. */
async function takeShared(): Promise<readonly File[]> {
  const kept = await caches.match('/share');
  // Another tab may have taken them in between.
  const isTaken = await caches.delete('shared');
  if (!kept || !isTaken || Date.now() - Date.parse(kept.headers.get('Date') ?? '') > mostAgeMs) return [];
  return (await kept.formData()).getAll('files').filter((each) => each instanceof File);
}

import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { wouldLoseFiles } from '../api/upload/upload-guard.ts';

/**
 * Stands in for a part whose code could not be loaded. A browser does not request it again, so the next page that is
 * opened is loaded as a whole, if the server responds and no file would leave the queue.
 */
export function LoadAtNextPage() {
  const pathname = useLocation({ select: (location) => location.pathname });
  const [first] = useState(pathname);
  useEffect(() => {
    if (pathname !== first) void loadIfPossible();
  }, [pathname, first]);
  return null;
}

async function loadIfPossible(): Promise<void> {
  const page = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (page?.ok && !wouldLoseFiles()) location.reload();
}

import { useLocation } from '@tanstack/react-router';

/** Whether the page that shows the queue itself is open. */
export const useOnQueuePage = (): boolean =>
  useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') === '/dashboard' });

import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Each new page starts at its top, with the focus on its heading, so that screen readers say where one is. */
export function useArrival(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        const firstPage = fromLocation === undefined;
        if (firstPage || fromLocation.pathname === toLocation.pathname) return;
        if (toLocation.hash === '') window.scrollTo(0, 0);
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
      }),
    [router],
  );
}

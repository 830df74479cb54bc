import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Scrolls each new page to its top and focuses its heading, so that screen readers announce the page. The field that a
 * page is for keeps the focus.
 */
export function useFocusNewPage(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        const firstPage = fromLocation === undefined;
        if (firstPage || fromLocation.pathname === toLocation.pathname) return;
        if (toLocation.hash === '') window.scrollTo(0, 0);
        if (document.querySelector('main input:focus')) return;
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
      }),
    [router],
  );
}

/** Replaces the router's module of this purpose, which also restores positions: see `vite.config.ts`. */
import type { AnyRouter } from '@tanstack/react-router';

/** Scrolls each new page to its hash or to its top, unless the navigation says otherwise. */
export function setupScrollRestoration(router: AnyRouter): void {
  const { _scroll: scroll } = router;
  if (scroll.r) return;
  scroll.r = true;
  router.subscribe('onRendered', ({ toLocation: { hash, state } }) => {
    const isNewPage = scroll.n;
    scroll.n = true;
    const options = state.__hashScrollIntoViewOptions ?? true;
    if (hash !== '' && options !== false) document.getElementById(hash)?.scrollIntoView(options);
    else if (isNewPage && hash === '') window.scrollTo(0, 0);
  });
}

/** The package exports these too. */
export const defaultGetScrollRestorationKey = undefined;
export const getElementScrollRestorationEntry = undefined;
export const storageKey = undefined;

import { type ComponentType, createElement, use } from 'react';

/** The code of a page failed to load: the server did not respond, or it has a newer version of the app. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/**
 * A page whose code is loaded when it is opened, or earlier by `preload`. The router's own lazy loading reloads the
 * whole document on failure, which would lose all files in the upload queue.
 */
export function lazyPage<Props extends object>(importer: () => Promise<ComponentType<Props>>) {
  let page: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  // A browser remembers until the next reload that a module could not be loaded, so this does too.
  const load = () =>
    (loading ??= importer().then(
      (loaded) => void (page = loaded),
      (cause: unknown) => {
        throw new PageNotLoaded('This page could not be loaded.', { cause });
      },
    ));
  const Page = (props: Props) => {
    // Loaded code is rendered synchronously, so that the heading exists when it takes the focus.
    if (!page) use(load());
    return page && createElement(page, props);
  };
  return Object.assign(Page, { preload: () => load().catch(() => {}) });
}

/** Returns whether the server has another version of the app than this page. */
export async function isReplaced(): Promise<boolean> {
  const page = await fetch('/', { cache: 'no-store' }).catch(() => undefined);
  return page?.ok === true && !(await page.text()).includes(new URL(import.meta.url).pathname);
}

import { type ComponentType, createElement, use } from 'react';

/** The code of a page did not come: there is no connection, or a newer version of the app has replaced it. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/**
 * A page whose code is loaded when it is opened, or before, by `preload`. The router's own way would load the whole
 * document again where that fails, and with it lose every file that waits in the upload queue.
 */
export function lazyPage<Props extends object>(importer: () => Promise<ComponentType<Props>>) {
  let page: ComponentType<Props> | undefined;
  let failure: PageNotLoaded | undefined;
  let loading: Promise<void> | undefined;
  const attempt = async () => {
    try {
      page = await importer();
    } catch (cause) {
      failure = new PageNotLoaded('This page could not be loaded.', { cause });
    }
  };
  const preload = () => (loading ??= attempt());
  const Page = (props: Props) => {
    // What is there is drawn at once: the router has waited for it, and the focus goes to its heading.
    if (!page && !failure) use(preload());
    if (failure) throw failure;
    return page && createElement(page, props);
  };
  return Object.assign(Page, { preload });
}

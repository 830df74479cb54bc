/** Components whose code is loaded on demand. */
import { type ComponentType, createElement, use } from 'react';
import { CodeNotLoaded } from './load-code.ts';

/** The code of a page failed to load when the page was opened. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
  /** Must be called before the page is rendered again, so that its code is requested again. */
  readonly forget: () => void;

  constructor(forget: () => void, options: ErrorOptions) {
    super('This page could not be loaded.', options);
    this.forget = forget;
  }

  /** True if a newer version of the app no longer has this script. */
  get isReplaced(): boolean {
    return this.cause instanceof CodeNotLoaded && this.cause.isReplaced;
  }
}

/**
 * A page whose code is loaded when it is opened, or earlier by `preload`, which ignores failures. The router's own lazy
 * loading reloads the whole document on failure, which would lose all files in the upload queue.
 */
export function lazyPage<Props extends object>(importer: () => Promise<ComponentType<Props>>) {
  let page: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  let opening: Promise<void> | undefined;
  const load = async () => {
    try {
      page = await importer();
    } finally {
      loading = undefined;
    }
  };
  const open = async () => {
    try {
      await (loading ??= load());
    } catch (cause) {
      throw new PageNotLoaded(() => (opening = undefined), { cause });
    }
  };
  const preload = async () => {
    if (!page) await (loading ??= load()).catch(() => {});
  };
  const Page = (props: Props) => {
    // Loaded code is rendered synchronously: the router has waited for it, and the heading must exist to take the
    // focus.
    if (!page) use((opening ??= open()));
    return page && createElement(page, props);
  };
  return Object.assign(Page, { preload });
}

/**
 * A part of a page whose code is loaded when it is needed, or earlier by `preload`. If loading fails, because there is
 * no connection or a newer version of the app has replaced the code, `instead` is rendered in its place and the rest of
 * the page keeps working. If `preload` fails, the code is requested again when needed.
 */
export function lazyPart<Props extends object>(
  importer: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props>,
) {
  let part: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const load = async () => {
    part = await importer().catch(() => instead);
  };
  const preload = async () => {
    part ??= await importer().catch(() => undefined);
  };
  const Part = (props: Props) => {
    // Loaded code is rendered synchronously.
    if (!part) use((loading ??= load()));
    return part && createElement(part, props);
  };
  return Object.assign(Part, { preload });
}

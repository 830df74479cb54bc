import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

/**
 * A part of a page whose code is loaded when it is needed. Where it does not come, because there is no connection or a
 * newer version of the app has replaced it, `instead` stands in its place and the rest of the page goes on.
 */
export function lazyPart<Props extends object>(
  importer: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await importer() };
    } catch {
      return { default: instead };
    }
  });
}

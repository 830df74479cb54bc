/**
 * Simulates the effect of an upgrade on scripts, styles and fonts: each has a new address, and the old ones return 404.
 */
const asset = /([\w.]+(?:-[\w.]+)*-[\w-]{8})\.(js|css|woff2)\b/g;

/** A text of the app as the given release serves it. */
export const withNewNames = (text: string, release: number): string => text.replaceAll(asset, `$1.r${release}.$2`);

/** The site's own path for a path of this release; undefined for an asset of another release. */
export function originalPath(path: string, release: number): string | undefined {
  if (release === 0 || !path.startsWith('/assets/')) return path;
  const ending = new RegExp(`\\.r${release}(\\.\\w+)$`);
  return ending.test(path) ? path.replace(ending, '$1') : undefined;
}

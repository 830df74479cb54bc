import { createLru } from '../../../lib/lru.ts';
import type { BlobId } from '../blobs.ts';

/** About 5 MB. */
const mostLinks = 10_000;

interface Link {
  readonly url: string;
  readonly endsAt: number;
}

/**
 * Remembers signed addresses, each of which takes a quarter of a millisecond to compute. `sign` gets the milliseconds for
 * which an address must work, twice what was asked for, so that it is of use to later requests too.
 */
export function rememberLinks(
  sign: (id: BlobId, lasts: number) => Promise<string>,
  { most = mostLinks, longest = Infinity, now = () => performance.now() } = {},
): (id: BlobId, lasts: number) => Promise<string> {
  const links = createLru<BlobId, Link>(most);
  return async (id, lasts) => {
    const known = links.get(id);
    if (known && known.endsAt - now() >= lasts) return known.url;
    const endsAt = now() + Math.min(2 * lasts, longest);
    const url = await sign(id, 2 * lasts);
    links.set(id, { url, endsAt });
    return url;
  };
}

/** The bytes of a download may be sent by nginx or by the S3 store, while this process decides about each request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LinkContext } from '../context.ts';
import { canHandOver, handOver } from './accel.ts';
import type { FileResponse } from './file-response.ts';
import { canRedirect, headerOf, redirect } from './redirect.ts';
import { minutes, seconds } from '../lib/clock.ts';
import { largestCached } from './blob-cache.ts';
import { checkStored } from './byte-sources.ts';
import type { PublicFile } from './look-up.ts';

interface Download {
  readonly file: PublicFile;
  readonly answer: FileResponse;
  /** In bytes per second, Infinity for no limit. */
  readonly speed: number;
  /** Runs before the response, once all that can fail has succeeded. */
  readonly onStart: () => void;
}

/** Returns whether the response has been sent; otherwise this process has to send the bytes. */
export async function sendElsewhere(
  context: LinkContext,
  { raw, response }: { readonly raw: IncomingMessage; readonly response: ServerResponse },
  { file, answer, speed, onStart }: Download,
): Promise<boolean> {
  const { accel, redirects } = context.config;
  if (accel === 'nginx' && canHandOver(raw.headers, answer)) {
    const path = await pathForNginx(context, file, speed);
    onStart();
    handOver(response, answer, path, speed);
    return true;
  }
  // The store knows no speed. Small files come from memory, without another request of the client.
  if (!redirects || speed !== Infinity || file.size <= largestCached) return false;
  if (!canRedirect(raw.method ?? 'GET', raw.headers, answer)) return false;
  const address = await addressInStore(context, file, answer);
  if (!address) return false;
  onStart();
  redirect(response, answer, address);
  return true;
}

const shortestLink = minutes(15);
/** nginx requests a large file in slices, and the last one must still be signed. */
const longestDownload = (size: number, speed: number): number => shortestLink + 2 * seconds(size / speed);

/** nginx reads the disk itself. From an S3 store it requests, signed, what is not in its cache. */
async function pathForNginx(context: LinkContext, file: PublicFile, speed: number): Promise<string> {
  const address = await context.blobs.link(file.blobId, longestDownload(file.size, speed));
  if (address) return address.pathname.slice(1) + address.search;
  await checkStored(context, file);
  return context.blobs.pathOf(file.blobId);
}

function addressInStore(
  { blobs }: Pick<LinkContext, 'blobs'>,
  { blobId }: PublicFile,
  answer: FileResponse,
): Promise<URL | null> {
  return blobs.link(blobId, shortestLink, {
    contentType: headerOf(answer, 'content-type'),
    contentDisposition: headerOf(answer, 'content-disposition'),
    cacheControl: headerOf(answer, 'cache-control'),
  });
}

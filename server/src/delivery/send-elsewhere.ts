import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { LinkContext } from '../context.ts';
import { days, minutes, seconds } from '../lib/clock.ts';
import { largestCached } from './blob-cache.ts';
import type { FileResponse, HeaderList } from './file-response.ts';
import type { PublicFile } from './look-up.ts';
import { checkStored } from './send-response.ts';

interface Elsewhere {
  readonly file: PublicFile;
  readonly decided: FileResponse;
  readonly speed: number;
  readonly onStart: () => void;
}

/** Returns whether nginx or the store sends the bytes; otherwise this process has to. */
export async function sendElsewhere(
  context: LinkContext,
  { raw, response }: { readonly raw: IncomingMessage; readonly response: ServerResponse },
  { file, decided, speed, onStart }: Elsewhere,
): Promise<boolean> {
  const { accel, redirects } = context.config;
  if (accel === 'nginx' && raw.headers['x-accel-failed'] !== undefined) {
    context.log.error({ blob: file.blobId }, nginxFailed);
    return false;
  }
  if ((accel !== 'nginx' && !redirects) || !isPlain(raw.headers, decided)) return false;
  if (accel === 'nginx') {
    const path = await pathForNginx(context, file, speed);
    onStart();
    handOver(response, decided, path, speed);
    return true;
  }
  // The store knows no speed.
  if (speed !== Infinity || file.size <= largestCached) return false;
  if (raw.method !== 'GET' || raw.headers['if-modified-since'] !== undefined) return false;
  const address = await context.blobs.link(file.blobId, shortestLink, {
    contentType: headerOf(decided, 'content-type'),
    contentDisposition: headerOf(decided, 'content-disposition'),
    cacheControl: headerOf(decided, 'cache-control'),
  });
  if (!address) return false;
  onStart();
  redirect(response, decided, address);
  return true;
}

/** nginx then repeats the request. */
const nginxFailed = 'ALARM: nginx could not read stored bytes, so this server sends them: see the error log of nginx';

function isPlain(headers: IncomingHttpHeaders, { status, pieces }: FileResponse): boolean {
  if (headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined) return false;
  const [only, ...others] = pieces;
  if (only === undefined || others.length > 0 || Buffer.isBuffer(only)) return false;
  // It would still see a Range header that this server chose to ignore.
  return status === 206 ? /^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/i.test(headers.range ?? '') : !headers.range;
}

const shortestLink = minutes(15);
/** Files of Free; those of better plans longer, by the priority of the plan. */
const shortestKept = days(15);

async function pathForNginx(context: LinkContext, file: PublicFile, speed: number): Promise<string> {
  const { cachePriorityPercent } = context.config.plans[file.level];
  const kept = shortestKept * (1 + cachePriorityPercent / 100);
  // nginx requests a large file in slices, so the link must last.
  const lasts = shortestLink + 2 * seconds(file.size / speed);
  const address = await context.blobs.linkForCache(file.blobId, lasts, kept);
  if (address) return address.pathname.slice(1) + address.search;
  await checkStored(context, file);
  return context.blobs.pathOf(file.blobId);
}

const blobLocation = '/blobs/';

function handOver(response: ServerResponse, { status, headers }: FileResponse, path: string, speed: number): void {
  const limit = speed === Infinity ? 'off' : String(Math.max(1, Math.round(speed)));
  // nginx adds Accept-Ranges to a whole file and also forwards ours.
  const kept = without(
    status === 200 ? /^(?:content-(?:length|range)|accept-ranges)$/i : /^content-(?:length|range)$/i,
    headers,
  );
  const toNginx = ['X-Accel-Redirect', blobLocation + path, 'X-Accel-Limit-Rate', limit, 'Content-Length', '0'];
  // Always a 200: nginx creates the 206 itself.
  response.writeHead(200, [...kept, ...toNginx]);
  response.end();
}

const ofBytes = /^(?:content-.+|etag|last-modified|accept-ranges|repr-digest|cache-control)$/i;

function redirect(response: ServerResponse, { headers }: FileResponse, { href }: URL): void {
  // A deleted file must be gone at once.
  const own = ['Location', href, 'Cache-Control', 'no-store', 'Content-Length', '0'];
  response.writeHead(302, [...without(ofBytes, headers), ...own]);
  response.end();
}

const without = (dropped: RegExp, headers: HeaderList): string[] =>
  headers.filter((_, at) => !dropped.test(headers[at - (at % 2)] ?? ''));

function headerOf({ headers }: FileResponse, name: string): string {
  const at = headers.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
  return headers[at + 1] ?? '';
}

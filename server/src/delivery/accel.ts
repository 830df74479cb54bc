/**
 * nginx as data plane: it sends the file that `X-Accel-Redirect` names, with the headers set here. It evaluates
 * conditions against the file on disk and ranges in its own way, so it only gets requests that it cannot read
 * differently.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type FileResponse, type HeaderList } from './file-response.ts';

/** The internal location in the documented configurations: its alias is the blob folder, or it passes to the S3 store. */
const blobLocation = '/blobs/';

/** Conditions on GET that nginx would evaluate against its own view of the file; hardly any client sends them. */
const ownConditions = ['if-match', 'if-unmodified-since'] as const;

/**
 * Returns whether nginx would send exactly this response to the same request: the whole file, or one plain range of it.
 */
export function canHandOver(headers: IncomingHttpHeaders, answer: FileResponse): boolean {
  if (ownConditions.some((name) => headers[name] !== undefined)) return false;
  const [only, ...others] = answer.pieces;
  if (only === undefined || others.length > 0 || Buffer.isBuffer(only)) return false;
  // nginx would still see a Range header that this server chose to ignore.
  return answer.status === 206 ? /^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/i.test(headers.range ?? '') : !headers.range;
}

/**
 * `path` is relative to the blob folder or to the S3 store, with the signature; `speed` is in bytes per second, Infinity
 * for no limit.
 */
export function handOver(response: ServerResponse, answer: FileResponse, path: string, speed: number): void {
  const limit = speed === Infinity ? 'off' : String(Math.max(1, Math.round(speed)));
  // nginx adds Accept-Ranges to a whole file and also forwards ours, so the header would appear twice.
  const dropped = new Set(['Content-Length', 'Content-Range', ...(answer.status === 200 ? ['Accept-Ranges'] : [])]);
  const headers = [...without(dropped, answer.headers), 'X-Accel-Redirect', blobLocation + path];
  // Always a 200: nginx creates the 206 itself.
  response.writeHead(200, [...headers, 'X-Accel-Limit-Rate', limit, 'Content-Length', '0']);
  response.end();
}

function without(dropped: ReadonlySet<string>, headers: HeaderList): string[] {
  return headers.filter((_, at) => !dropped.has(headers[at - (at % 2)] ?? ''));
}

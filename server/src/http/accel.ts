/**
 * nginx as data plane: it sends the bytes of what `X-Accel-Redirect` names, with the headers that we give it. It judges
 * conditions by the file on the disk and ranges in its own way, so it only gets what it cannot read differently.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type FileAnswer, type HeaderList } from './file-answer.ts';

/** The internal location of docs/self-hosting.md; its alias is the folder of the blobs. */
const blobLocation = '/blobs/';

/** Conditions on GET that nginx would judge by its own idea of the file; hardly any client sends them. */
const ownConditions = ['if-match', 'if-unmodified-since'] as const;

/** Whether nginx sends exactly this answer when it sees the same request: all of the file, or one plain range of it. */
export function canHandOver(headers: IncomingHttpHeaders, answer: FileAnswer): boolean {
  if (ownConditions.some((name) => headers[name] !== undefined)) return false;
  const [only, ...others] = answer.pieces;
  if (only === undefined || others.length > 0 || Buffer.isBuffer(only)) return false;
  // A Range header that we chose to ignore would still be there for nginx to see.
  return answer.status === 206 ? /^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/i.test(headers.range ?? '') : !headers.range;
}

/** `path` is relative to the folder of the blobs, the speed in bytes per second, Infinity for no limit. */
export function handOver(response: ServerResponse, answer: FileAnswer, path: string, speed: number): void {
  const limit = speed === Infinity ? 'off' : String(Math.max(1, Math.round(speed)));
  // nginx says of a whole file that it takes ranges, and passes on what we say, which would be twice.
  const dropped = new Set(['Content-Length', 'Content-Range', ...(answer.status === 200 ? ['Accept-Ranges'] : [])]);
  const headers = [...without(dropped, answer.headers), 'X-Accel-Redirect', blobLocation + path];
  // Always a 200: nginx makes the 206 itself.
  response.writeHead(200, [...headers, 'X-Accel-Limit-Rate', limit, 'Content-Length', '0']);
  response.end();
}

function without(dropped: ReadonlySet<string>, headers: HeaderList): string[] {
  return headers.filter((_, at) => !dropped.has(headers[at - (at % 2)] ?? ''));
}

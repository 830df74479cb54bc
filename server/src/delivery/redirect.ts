/** An S3 store as data plane: a client gets the bytes from the store itself, at an address that works for a while. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { canHandOver } from './accel.ts';
import type { FileResponse, HeaderList } from './file-response.ts';

/** Returns whether the store would send these bytes to the same request; its validators are others than ours. */
export function canRedirect(method: string, headers: IncomingHttpHeaders, answer: FileResponse): boolean {
  return method === 'GET' && headers['if-modified-since'] === undefined && canHandOver(headers, answer);
}

/** Returns the value of a header that the store must send as we would. */
export function headerOf({ headers }: FileResponse, name: string): string {
  const at = headers.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
  return headers[at + 1] ?? '';
}

/** Headers that describe the bytes, which this response does not have. */
const ofBytes = /^(?:content-.+|etag|last-modified|accept-ranges|repr-digest|cache-control)$/i;

export function redirect(response: ServerResponse, answer: FileResponse, address: URL): void {
  const headers: HeaderList = answer.headers.filter((_, at) => !ofBytes.test(answer.headers[at - (at % 2)] ?? ''));
  // Nobody may keep the address: it ends, and a deleted file must be gone at once.
  response.writeHead(302, [...headers, 'Location', address.href, 'Cache-Control', 'no-store', 'Content-Length', '0']);
  response.end();
}

/** Requests that work, of each kind that the server reads, to be mutated. */
import type { Random } from './mutate.ts';
import { pickOf } from './mutate.ts';

export interface Known {
  readonly port: number;
  readonly apiKey: string;
  /** The stored name of a file. */
  readonly name: string;
}

const form =
  '--kelp\r\nContent-Disposition: form-data; name="sha_256"\r\n\r\n\r\n' +
  '--kelp\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n' +
  'some bytes of a file\r\n--kelp--\r\n';
const chunked = `${form.length.toString(16)}\r\n${form}\r\n0\r\n\r\n`;

/** Returns a valid request of a random kind, from a random address. */
export function validRequest({ port, apiKey, name }: Known, random: Random): Buffer {
  const byte = () => 1 + Math.floor(random() * 254);
  const always = `Host: 127.0.0.1:${port}\r\nX-Forwarded-For: 10.${byte()}.${byte()}.${byte()}\r\n`;
  const head = (line: string, ...headers: string[]) =>
    `${line} HTTP/1.1\r\n${always}${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
  const key = `X-API-Key: ${apiKey}`;
  const json = (line: string, body: unknown, ...headers: string[]) => {
    const text = JSON.stringify(body);
    return head(line, 'Content-Type: application/json', `Content-Length: ${text.length}`, ...headers) + text;
  };
  const multipart = 'Content-Type: multipart/form-data; boundary=kelp';
  const upload = 'POST /api/v3/upload';
  return Buffer.from(
    pickOf(random, [
      head(upload, key, multipart, `Content-Length: ${form.length}`) + form,
      head(upload, key, multipart, 'Transfer-Encoding: chunked') + chunked,
      head(upload, key, multipart, `Content-Length: ${form.length}`, 'Idempotency-Key: once') + form,
      head(`GET /file/${name}.bin`, 'Range: bytes=2-5'),
      head(`GET /file/${name}`, 'Range: bytes=0-1,4-5,-3', 'If-Range: "x"'),
      head(
        `HEAD /file/${name}.bin`,
        'If-None-Match: "x", W/"y", *',
        'If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT',
      ),
      head(`GET /file/${name}.sha256?no-count=true`),
      head(`GET /file/${name}.bin.sha1`),
      head('GET /', 'Accept-Encoding: br, gzip;q=0.5', 'Accept: text/html'),
      head('GET /assets/../assets/%2e%2e/index.js?x=1#y'),
      head('GET /openapi.json', 'If-None-Match: "x"'),
      head('GET /api/v3/rest/get-file-list?page=1&limit=10&search=some&sort=name&order=asc', key),
      head('GET /api/v3/rest/get-account-info', key),
      head('GET /api/v3/rest/get-account-info', `Authorization: Bearer ${apiKey}`),
      head('OPTIONS /api/v3/upload', 'Origin: https://other.example', 'Access-Control-Request-Method: POST'),
      json('POST /api/v3/rest/toggle-favorite', { file: name }, key),
      json('DELETE /api/v3/rest/delete-files', { files: ['nothing1', 'nothing2'] }, key),
      json('POST /api/v3/rest/restore-files', { files: ['nothing1', 'nothing2'] }, key),
      json('POST /api/v3/session/login', { email: 'nobody@example.com', password: 'x' }),
      json('POST /api/v3/session/set-account-settings', { timezone: 'UTC' }, 'Cookie: holdfast-session=abc; x=y'),
      json('POST /api/stripe/webhook', { id: 'evt_1', type: 'x' }, 'Stripe-Signature: t=1,v1=00'),
      head('GET /api/stripe/subscription?plan=basic_monthly', 'Sec-Fetch-Mode: navigate'),
      head('GET /robots.txt') + head('GET /.well-known/security.txt'),
    ]),
  );
}

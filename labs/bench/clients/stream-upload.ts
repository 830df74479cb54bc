/** Uploads bytes generated while sending: `{ url, apiKey, size }` → `{ url, sha256 }`. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { blockBytes } from '../harness/payload.ts';

interface Orders {
  readonly url: string;
  readonly apiKey: string;
  readonly size: number;
}

const { url, apiKey, size } = JSON.parse(process.argv[2] ?? '') as Orders;
const boundary = 'bench-boundary';
const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="huge.bin"\r\n\r\n`;
const tail = (sha256: string) =>
  `\r\n--${boundary}\r\nContent-Disposition: form-data; name="sha_256"\r\n\r\n${sha256}\r\n--${boundary}--\r\n`;

const sending = request(url, {
  method: 'POST',
  headers: {
    'X-API-Key': apiKey,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Content-Length': head.length + size + tail('0'.repeat(64)).length,
  },
});
const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
const sha256 = await sendBody(sending);
const [answer] = await answered;
const { url: link, error } = (await json(answer)) as { url?: string; error?: string };
if (link === undefined) throw new Error(`the upload was refused: ${error}`);
console.log(JSON.stringify({ url: link, sha256 }));

async function sendBody(body: ClientRequest): Promise<string> {
  const write = (chunk: string | Buffer) =>
    new Promise<void>(
      (resolve, reject) => void body.write(chunk, (failure) => (failure ? reject(failure) : resolve())),
    );
  const hash = createHash('sha256');
  const block = randomBytes(blockBytes);
  await write(head);
  for (let sent = 0; sent < size; sent += blockBytes) {
    // All blocks differ, so a lost or duplicated block changes the digest.
    block.writeDoubleLE(sent);
    const chunk = block.subarray(0, Math.min(blockBytes, size - sent));
    hash.update(chunk);
    await write(chunk);
  }
  const digest = hash.digest('hex');
  body.end(tail(digest));
  return digest;
}

/** Uploads many small files, each with new random bytes, and reads some of them back: `SmallOrders` → `SmallAnswer`. */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { calls } from '@holdfast/contract/src/calls.ts';
import { type Answer, headerOf, openConnection } from './connection.ts';
import type { SmallAnswer, SmallOrders } from './small.ts';

const { origin, apiKeys, uploads, atOnce, size, readBack } = JSON.parse(process.argv[2] ?? '') as SmallOrders;
const boundary = 'bench-boundary';
const partHead = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="small.txt"\r\n\r\n`;
const end = `\r\n--${boundary}--\r\n`;

// Everything that can be prepared is: only sending and receiving are measured.
const files = Array.from({ length: uploads }, () => randomBytes(size));
const requests = files.map((file, at) => requestOf(file, apiKeys[at % apiKeys.length] ?? ''));
const links: string[] = Array.from({ length: uploads }, () => '');
const connections = await Promise.all(Array.from({ length: atOnce }, () => openConnection(new URL(origin))));
let [next, refused] = [0, 0];

const start = performance.now();
await Promise.all(
  connections.map(async ({ send }) => {
    for (let at = next++; at < uploads; at = next++) links[at] = await upload(send, requests[at] ?? Buffer.alloc(0));
  }),
);
const seconds = (performance.now() - start) / 1000;

for (let done = 0; done < readBack; done += 1) await check(Math.floor((done * uploads) / readBack));
const answer: SmallAnswer = {
  seconds,
  files: files.map((file, at) => ({ link: links[at] ?? '', sha256: digestOf(file) })),
  refused,
};
process.stdout.write(JSON.stringify(answer), () => process.exit());

function requestOf(file: Buffer, apiKey: string): Buffer {
  const head =
    `${calls.upload.method} ${calls.upload.path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nX-API-Key: ${apiKey}\r\n` +
    `Content-Type: multipart/form-data; boundary=${boundary}\r\n` +
    `Content-Length: ${partHead.length + file.length + end.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head + partHead), file, Buffer.from(end)]);
}

/** Sends an upload until it is accepted, and returns its link. */
async function upload(send: (request: Buffer) => Promise<Answer>, request: Buffer): Promise<string> {
  for (;;) {
    const { status, head, body } = await send(request);
    const link = status === 200 ? (JSON.parse(body.toString()) as { url?: string }).url : undefined;
    if (link?.startsWith(`${origin}/`)) return link;
    if (status !== 429) throw new Error(`an upload was answered with ${status}: ${body.toString()}`);
    refused += 1;
    await delay(Number(headerOf(head, 'retry-after')) * 1000);
  }
}

async function check(at: number): Promise<void> {
  const response = await fetch(links[at] ?? '');
  const found = digestOf(await response.bytes());
  if (response.status !== 200 || found !== digestOf(files[at] ?? ''))
    throw new Error(`${links[at]} answered ${response.status} with ${found}, which is not what was uploaded`);
}

function digestOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

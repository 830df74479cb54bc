/**
 * The plain Node solution to 'store an upload durably': parse the form, hash the file, write it under a temporary name,
 * sync it, rename it, sync the folder, respond with a link. It knows no accounts and has no database, so a real server
 * made this way is slower. `syncing-server.ts FOLDER` prints its URL.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';

const [, , folder = ''] = process.argv;
const server = createServer(async (request, response) => {
  if (request.method === 'GET') return createReadStream(join(folder, basename(request.url ?? ''))).pipe(response);
  const name = await store(await readFile(request));
  const body = JSON.stringify({ url: `http://${request.headers.host}/${name}` });
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
});

async function readFile(request: IncomingMessage): Promise<Buffer> {
  const headers = { 'Content-Type': request.headers['content-type'] ?? '' };
  const form = await new Response(Readable.toWeb(request) as ReadableStream, { headers }).formData();
  const file = form.get('file');
  if (!(file instanceof File)) throw new Error('the form has no file');
  return Buffer.from(await file.arrayBuffer());
}

async function store(bytes: Buffer): Promise<string> {
  const name = `${createHash('sha256').update(bytes).digest('hex')}-${randomUUID()}`;
  const temp = join(folder, `${name}.tmp`);
  {
    await using file = await open(temp, 'wx');
    await file.writeFile(bytes);
    await file.sync();
  }
  await rename(temp, join(folder, name));
  await using parent = await open(folder);
  await parent.sync();
  return name;
}

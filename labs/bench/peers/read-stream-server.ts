/**
 * The plain Node solution to 'send a file': get its size, then `createReadStream(path).pipe(response)`. It knows the
 * path before any request, looks up nothing and counts nothing, so a real server made this way is slower.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';

const [, , path = ''] = process.argv;
const server = createServer(async (_request, response) => {
  const { size } = await stat(path);
  response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': size });
  createReadStream(path).pipe(response);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}/file`);
});

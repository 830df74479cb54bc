/** Downloads a file without storing it and reports what it was: `{ url }` → `{ bytes, sha256 }`. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

const { url } = JSON.parse(process.argv[2] ?? '') as { url: string };
const [answer] = (await once(get(url), 'response')) as [IncomingMessage];
if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
const hash = createHash('sha256');
let bytes = 0;
for await (const chunk of answer as AsyncIterable<Buffer>) {
  hash.update(chunk);
  bytes += chunk.length;
}
console.log(JSON.stringify({ bytes, sha256: hash.digest('hex') }));

/** `ENDPOINT KEY PATH` → the link, once all of the file has arrived. */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Upload } from 'tus-js-client';

const [endpoint = '', key = '', path = ''] = process.argv.slice(2);
new Upload(createReadStream(path), {
  endpoint,
  headers: { 'X-API-Key': key },
  metadata: { filename: basename(path) },
  chunkSize: 64_000_000,
  retryDelays: Array.from({ length: 300 }, () => 500),
  onAfterResponse: (_request, response) => {
    const link = response.getHeader('Holdfast-Link');
    if (link !== undefined) console.log(link);
  },
  onError: (error) => {
    throw error;
  },
}).start();

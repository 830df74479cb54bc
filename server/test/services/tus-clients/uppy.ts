/** `ENDPOINT KEY PATH` → the link, once all of the file has arrived. */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import Uppy from '@uppy/core';
import Tus from '@uppy/tus';

const [endpoint = '', key = '', path = ''] = process.argv.slice(2);
const uppy = new Uppy().use(Tus, {
  endpoint,
  headers: { 'X-API-Key': key },
  chunkSize: 64_000_000,
  retryDelays: Array.from({ length: 300 }, () => 500),
  onAfterResponse: (_request, response) => {
    const link = response.getHeader('Holdfast-Link');
    if (link !== undefined) console.log(link);
  },
});
uppy.addFile({ name: basename(path), data: createReadStream(path) as unknown as Blob });
const result = await uppy.upload();
if (result?.failed?.length !== 0) throw new Error(result?.failed?.[0]?.error ?? 'no result');

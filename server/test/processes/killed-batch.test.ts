import { uploadEndpoints } from '@holdfast/contract/src/upload-endpoints.ts';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { newTestPlace } from '../harness/new-place.ts';
import { addUploaders, type Place, withContext } from '../harness/place.ts';
import { startService } from '../harness/real-process.ts';

interface Line {
  readonly index: number;
  readonly url: string;
}

const contents = Array.from({ length: 300 }, (_, at) => `file ${at}`);
const form = contents
  .map((text, at) => `--edge\r\nContent-Disposition: form-data; name="file"; filename="${at}.txt"\r\n\r\n${text}\r\n`)
  .join('');

/** Sends all files, and the end of the form if there is one. Returns the whole lines that came before the answer ended. */
async function sendBatch({ port }: Place, apiKey: string, { end = '', onLines = (_count: number) => {} }) {
  const headers = {
    'X-API-Key': apiKey,
    'Idempotency-Key': 'kelp',
    'Content-Type': 'multipart/form-data; boundary=edge',
  };
  const sent = request(`http://127.0.0.1:${port}${uploadEndpoints.uploadBatch.path}`, { method: 'POST', headers });
  sent.on('error', () => {});
  sent.write(form);
  if (end !== '') sent.end(end);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  const linesOf = () => text.split('\n').slice(0, -1);
  answer
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      text += chunk.toString();
      onLines(linesOf().length);
    });
  await new Promise((resolve) => answer.once('close', resolve));
  return linesOf().map((line) => JSON.parse(line) as Line);
}

test('after a kill amid a batch every line holds, and the same batch with its key stores the rest', async () => {
  const place = await newTestPlace();
  await using first = await startService(place);
  const [uploader] = await addUploaders(place, 1);
  const apiKey = uploader?.apiKey ?? '';
  const promised = await sendBatch(place, apiKey, { onLines: (count) => void (count >= 100 && first.kill()) });
  expect(promised.length).toBeGreaterThanOrEqual(100);

  await using _second = await startService(place);
  const checkAll = async (lines: readonly Line[]) => {
    for (const { index, url } of lines) expect(await (await fetch(url)).text()).toBe(contents[index]);
  };
  await checkAll(promised);
  const all = await sendBatch(place, apiKey, { end: '--edge--\r\n' });
  expect(all).toHaveLength(contents.length);
  expect(all).toEqual(expect.arrayContaining(promised));
  await checkAll(all);
  const rows = await withContext(place, ({ db }) => db.selectFrom('files').select('name').execute());
  expect(rows).toHaveLength(contents.length);
});

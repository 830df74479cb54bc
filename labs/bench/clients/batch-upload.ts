/** Uploads small files, each with new random bytes, in one batch, and returns the seconds until the last line. */
import { randomBytes } from 'node:crypto';
import { uploadEndpoints } from '@holdfast/contract/src/upload-endpoints.ts';

const { origin, apiKey, uploads, size } = JSON.parse(process.argv[2] ?? '') as {
  readonly origin: string;
  readonly apiKey: string;
  readonly uploads: number;
  readonly size: number;
};
const form = new FormData();
for (let at = 0; at < uploads; at += 1) form.append('file', new Blob([randomBytes(size)]), `${at}.txt`);
// Encoding takes longer than sending, on the same cores as the server.
const encoded = new Response(form);
const body = await encoded.bytes();
const headers = { 'X-API-Key': apiKey, 'Content-Type': encoded.headers.get('content-type') ?? '' };

const start = performance.now();
const answer = await fetch(origin + uploadEndpoints.uploadBatch.path, { method: 'POST', headers, body });
const lines = (await answer.text()).trim().split('\n');
const seconds = (performance.now() - start) / 1000;
const stored = lines.filter((line) => line.includes('"success":true')).length;
if (stored !== uploads) throw new Error(`${stored} of ${uploads} files were stored: ${lines.at(-1)}`);
process.stdout.write(JSON.stringify({ seconds }), () => process.exit());

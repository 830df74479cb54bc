import { shareXText } from '@holdfast/contract/src/api-docs/sharex.ts';
import { expect } from 'vitest';
import { fileUrl, storedNameOf } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

/** Fields that ShareX 14 reads from a `.sxcu` file, and its accepted values for some of them. */
const knownFields = new Set(
  (
    'Version Name DestinationType RequestMethod RequestURL Parameters Headers Body Arguments FileFormName Data URL ' +
    'ThumbnailURL DeletionURL ErrorMessage'
  ).split(' '),
);
const destinations = new Set(['ImageUploader', 'TextUploader', 'FileUploader', 'URLShortener', 'URLSharingService']);

interface Uploader {
  readonly DestinationType: string;
  readonly RequestMethod: string;
  readonly RequestURL: string;
  readonly Headers: Record<string, string>;
  readonly Body: string;
  readonly FileFormName: string;
  readonly URL: string;
  readonly DeletionURL: string;
  readonly ErrorMessage: string;
}

test('the uploader contains only fields that ShareX knows', () => {
  const text = shareXText('Kelp', { origin: 'https://app.example', key: 'hf_key' });
  const uploader = JSON.parse(text) as Uploader;
  expect(Object.keys(uploader).filter((field) => !knownFields.has(field))).toEqual([]);
  expect(uploader.DestinationType.split(', ').filter((each) => !destinations.has(each))).toEqual([]);
  expect(uploader).toMatchObject({
    Name: 'Kelp',
    RequestMethod: 'POST',
    RequestURL: 'https://app.example/api/v3/upload',
    Body: 'MultipartFormData',
  });
});

test('the upload of ShareX is stored, and the link it reads works', async ({ server, account: { apiKey } }) => {
  const { answer, uploader } = await uploadAsShareX(server.url, apiKey);
  const link = readBy(uploader.URL, answer.json);
  const name = storedNameOf(link);
  expect(await (await fetch(fileUrl(server, name))).text()).toBe('a screenshot');
  const page = server.url + new URL(readBy(uploader.DeletionURL, answer.json)).pathname;
  expect(await (await fetch(page)).text()).toContain('Delete screenshot.png?');
  await fetch(page, { method: 'POST' });
  expect((await fetch(fileUrl(server, name))).status).toBe(404);
});

test('the uploader reads the reason of a refusal', async ({ server }) => {
  const { answer, uploader } = await uploadAsShareX(server.url, `hf_${'0'.repeat(46)}`);
  expect(answer.status).toBe(401);
  expect(readBy(uploader.ErrorMessage, answer.json)).toBe('Invalid API key');
});

/** Sends the request that ShareX builds from the file's fields. */
async function uploadAsShareX(origin: string, key: string) {
  const uploader = JSON.parse(shareXText('Kelp', { origin, key })) as Uploader;
  const form = new FormData();
  form.append(uploader.FileFormName, new Blob(['a screenshot'], { type: 'image/png' }), 'screenshot.png');
  const request = new Request(uploader.RequestURL, {
    method: uploader.RequestMethod,
    headers: uploader.Headers,
    body: form,
  });
  const answer = await fetch(request);
  return { uploader, answer: { status: answer.status, json: await answer.json() } };
}

/** `{json:path}`: returns the value at that path of the response. */
function readBy(syntax: string, json: unknown): string {
  const [, path = ''] = /^\{json:([\w.]+)\}$/.exec(syntax) ?? [];
  return String(path.split('.').reduce((at, step) => (at as Record<string, unknown>)[step], json));
}

import { inTemplate } from '@holdfast/contract/src/openapi-tus.ts';
import { uploadEndpoints } from '@holdfast/contract/src/upload-endpoints.ts';
import { callDocs, keyCalls } from '@holdfast/contract/src/api-docs/call-texts.ts';
import { calls } from '@holdfast/contract/src/calls.ts';
import { errorCatalog } from '@holdfast/contract/src/errors.ts';
import type { OpenApi } from '@holdfast/contract/src/openapi-types.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { faultsOf } from '../harness/documented-answers.ts';
import { openLine } from '../harness/raw-http.ts';
import { startServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

const path = '/openapi.json';

test('the document is valid OpenAPI 3.1', async ({ server }) => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(
    (await call(server, path)).json as Parameters<Validator['validate']>[0],
  );
  expect({ valid, errors, version: validator.version }).toEqual({ valid: true, errors: undefined, version: '3.1' });
});

test('the document links to the docs by full address, and names contact, license and tags', async () => {
  await using server = await startServer({ PUBLIC_URL: 'https://app.example', CONTACT_EMAIL: 'ada@app.example' });
  const document = (await call(server, path)).json as OpenApi & { tags: { name: string; description: string }[] };
  expect(document['info']).toMatchObject({
    contact: { name: 'Holdfast', url: 'https://app.example', email: 'ada@app.example' },
    license: { name: 'MIT', identifier: 'MIT' },
  });
  const operations = Object.values(document.paths).flatMap((each) => Object.values(each));
  const groups = document.tags.map(({ name }) => name);
  for (const operation of operations) expect(groups).toContain((operation['tags'] as string[])[0]);
  expect(new Set(operations.flatMap((operation) => operation['tags'] as string[]))).toEqual(new Set(groups));
  const docs = operations.flatMap((each) => each['externalDocs'] ?? []).map((each) => (each as { url: string }).url);
  expect(docs).toHaveLength(keyCalls.length);
  for (const url of docs) expect(url).toMatch(/^https:\/\/app\.example\/api-docs#[\w-]+$/);
});

test('any site may read the document and cache it', async ({ server }) => {
  const { status, headers } = await call(server, path);
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
    etag: expect.stringMatching(/^"[\w-]{43}"$/),
  });
  expect(headers.get('RateLimit-Limit')).toBeNull();
});

test('a client that has the document gets 304', async ({ server }) => {
  const etag = (await call(server, path)).headers.get('ETag') ?? '';
  const again = await call(server, path, { headers: { 'If-None-Match': etag } });
  expect(again).toMatchObject({ status: 304, text: '' });
  expect((await call(server, path, { headers: { 'If-None-Match': '"another"' } })).status).toBe(200);
});

test('the document names the addresses of the installation', async () => {
  const addresses = { PUBLIC_URL: 'https://app.example', FILE_ORIGINS: 'https://files.example,https://mirror.example' };
  await using server = await startServer({ ...addresses, SITE_NAME: 'Kelp' });
  const document = (await call(server, path)).json as OpenApi;
  expect(document).toMatchObject({
    info: { title: 'Kelp API', version: '3.1' },
    servers: [{ url: 'https://app.example' }],
  });
  expect(document.paths['/file/{filename}']?.['get']).toMatchObject({
    security: [],
    servers: [{ url: 'https://files.example' }, { url: 'https://mirror.example' }],
  });
});

test('the document contains exactly the calls that take a key', async ({ server }) => {
  const { paths } = (await call(server, path)).json as OpenApi;
  const byKey = Object.values(calls).filter(({ access }) => access === 'account');
  const ofUploads = Object.values(uploadEndpoints).map((each) => inTemplate(each.path));
  expect(
    Object.keys(paths)
      .filter((each) => !each.startsWith('/file/'))
      .toSorted(),
  ).toEqual([...new Set([...byKey.map((each) => each.path), ...ofUploads])].toSorted());
  expect(Object.keys(callDocs)).toEqual([...keyCalls]);
});

test('every error code is in the document with its status', async ({ server }) => {
  const { components } = (await call(server, path)).json as OpenApi;
  const there = components.schemas['ErrorCode']?.['oneOf'] as { const: string; title: string }[];
  expect(Object.fromEntries(there.map((each) => [each.const, Number(each.title)]))).toEqual(
    Object.fromEntries(Object.entries(errorCatalog).map(([code, { status }]) => [code, status])),
  );
});

test('downloads have the headers that the document names', async () => {
  await using server = await startServer({ PUBLIC_URL: 'http://app.test', FILE_ORIGINS: 'http://files.test' });
  using line = openLine(server);
  const { text } = await line.send('GET', path, { Host: 'app.test' });
  const { paths } = JSON.parse(text) as OpenApi;
  const name = await uploadFile(server, await signUpAndIn(server));
  for (const [status, suffix, headers] of [
    [200, '', { Host: 'files.test' }],
    [206, '', { Host: 'files.test', Range: 'bytes=0-1' }],
    [416, '', { Host: 'files.test', Range: 'bytes=9-' }],
    [200, '.sha256', { Host: 'files.test' }],
    [200, '.sha1', { Host: 'files.test' }],
    [307, '', { Host: 'app.test' }],
  ] as const) {
    const answer = await line.send('GET', `/file/${name}${suffix}`, headers);
    expect(answer.status).toBe(status);
    const named = Object.keys(paths[`/file/{filename}${suffix}`]?.['get']?.responses[status]?.headers ?? {});
    expect(named.length, String(status)).toBeGreaterThan(0);
    expect(named.filter((each) => !(each.toLowerCase() in answer.headers))).toEqual([]);
  }
});

test('a call without a body accepts any body, and documents no 413 or 415', async ({ server }) => {
  const { paths } = (await call(server, path)).json as OpenApi;
  const { apiKey } = await signUpAndIn(server);
  const answers = paths['/api/v3/rest/get-account-info']?.['get']?.responses ?? {};
  expect(Object.keys(answers)).not.toEqual(expect.arrayContaining(['413']));
  expect(Object.keys(answers)).not.toEqual(expect.arrayContaining(['415']));
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'text/xml', 'Content-Length': '300000' };
  const line = openLine(server);
  const answer = await line.send('GET', '/api/v3/rest/get-account-info', headers, 'x'.repeat(300_000));
  expect(answer.status).toBe(200);
});

const limits = { 'ratelimit-limit': '4', 'ratelimit-remaining': '3', 'ratelimit-reset': '0' };
const success = { success: true, file_info: { name: 'q7Rt2mXa', is_favorite: true } };

test.each([
  ['a field that is missing', 200, limits, { success: true, file_info: { name: 'q7Rt2mXa' } }],
  ['a field of another type', 200, limits, { success: true, file_info: { name: 'q7Rt2mXa', is_favorite: 1 } }],
  ['a field that nobody documented', 200, limits, { ...success, secret: 'kelp' }],
  ['a code of another status', 404, limits, { success: false, error: { code: 'NOT_FOUND', message: 'No.' } }],
  ['a status that is not documented', 402, limits, success],
  ['no word on the rate limit', 200, {}, success],
])('the check of answers finds %s', (_what, status, headers, body) => {
  expect(faultsOf(calls.toggleFavorite, status, limits, JSON.stringify(success))).toEqual(
    status === 200 ? [] : expect.anything(),
  );
  expect(faultsOf(calls.toggleFavorite, status, headers, JSON.stringify(body))).not.toEqual([]);
});

import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { test } from '../harness/server-test.ts';
import { sha256, uploadFile } from '../harness/uploads.ts';

test('a file with the extension sha256 is served there, and its digest at .sha256.sha256', async ({ server }) => {
  const account = await signUpAndIn(server, { plan: 'starter' });
  const name = await uploadFile(server, account, 'my sums', 'release.sha256');
  for (const rest of [name, `${name}.sha256`, `${name}.SHA256`])
    expect((await call(server, `/file/${rest}`)).text, rest).toBe('my sums');
  expect((await call(server, `/file/${name}.sha256.sha256`)).text).toBe(sha256('my sums'));
});

test('the content type that the client sends is ignored', async ({ server, account }) => {
  const form = new FormData();
  form.append('file', new Blob(['<script>'], { type: 'text/html' }), 'innocent.png');
  const headers = { 'X-API-Key': account.apiKey };
  await fetch(`${server.url}/api/v3/upload`, { method: 'POST', headers, body: form });
  const { files } = await account.byKey.getFileList({ query: {} });
  expect((await call(server, `/file/${files[0]?.name}`)).headers.get('Content-Type')).toBe('image/png');
});

import { expect, test } from 'vitest';
import { createClient } from './client.ts';

type Sent = { url: string; init: RequestInit };

/** A client whose network is a function. */
function clientOver(answer: () => Response | Promise<Response>, apiKey?: string) {
  const sent: Sent[] = [];
  const network = async (url: unknown, init: RequestInit = {}) => {
    sent.push({ url: String(url), init });
    init.signal?.throwIfAborted();
    return answer();
  };
  const options = { origin: 'https://files.example.com', ...(apiKey !== undefined && { apiKey }) };
  return { sent, client: createClient(network, options) };
}

const fine = () => new Response('{"success":true,"files":[]}');

test('a call sends its query or body to its path', async () => {
  const { client, sent } = clientOver(fine);
  await client.getFileList({ query: { column: 'size', page: 2 } });
  await client.deleteFiles({ body: { files: ['abcd'] } });
  expect(sent[0]?.url).toBe('https://files.example.com/api/v3/rest/get-file-list?column=size&page=2');
  expect(sent[0]?.init).toMatchObject({ method: 'GET', credentials: 'include' });
  expect(sent[0]?.init.body).toBeUndefined();
  expect(sent[1]?.url).toBe('https://files.example.com/api/v3/rest/delete-files');
  expect(sent[1]?.init).toMatchObject({ method: 'DELETE', body: '{"files":["abcd"]}' });
  expect(new Headers(sent[1]?.init.headers).get('Content-Type')).toBe('application/json');
});

test('a key is sent in its header and no cookie with it', async () => {
  const { client, sent } = clientOver(fine, 'hf_key');
  await client.getAccountInfo();
  expect(new Headers(sent[0]?.init.headers).get('X-API-Key')).toBe('hf_key');
  expect(sent[0]?.init.credentials).toBe('omit');
});

test('a network failure rejects as a call without a response', async () => {
  const { client } = clientOver(() => Promise.reject(new TypeError('fetch failed')));
  await expect(client.serverInfo()).rejects.toMatchObject({
    name: 'CallFailed',
    problem: 'no-response',
    status: 0,
    message: 'No response from server. Please check your connection.',
  });
});

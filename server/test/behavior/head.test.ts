/** HEAD of the API: as GET, without the body and the side effects. Downloads have their own cases. */
import { uploadFile } from '../harness/uploads.ts';
import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { callFrom, startLimited, statuses } from '../harness/limited-server.ts';
import { type Line, openLine, type RawAnswer } from '../harness/raw-http.ts';
import { cookiesOf, openShop, planPath } from '../harness/shop.ts';
import { shareServer, test } from '../harness/server-test.ts';

const { server: shared } = await shareServer();

const readable = Object.values<Endpoint>(endpoints).filter(({ method }) => method === 'GET');

/** The time differs from one response to the next. */
const told = ({ status, headers }: RawAnswer) => ({ status, headers: { ...headers, date: '' } });

const senders = ({ browser, apiKey }: SignedIn): Record<string, Record<string, string>> => ({
  nobody: {},
  'a session': { Cookie: cookiesOf(browser) },
  'a key': { 'X-API-Key': apiKey },
  'a wrong key': { 'X-API-Key': 'hf_wrong' },
});

async function compare(line: Line, path: string, headers: Record<string, string>) {
  const got = await line.send('GET', path, headers);
  const head = await line.send('HEAD', path, headers);
  expect(head.text).toBe('');
  expect(told(head), path).toEqual(told(got));
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(got.text)));
  return got.status;
}

test.each(readable.map(({ path }) => path))('HEAD of %s returns what GET returns, for every caller', async (path) => {
  using line = openLine(shared);
  const seen = new Set<number>();
  const account = await signUpAndIn(shared);
  const file = await uploadFile(shared, account);
  for (const headers of Object.values(senders(account)))
    for (const query of ['', `?action=login&days=30&file=${file}`, '?limit=none'])
      seen.add(await compare(line, path + query, headers));
  expect(seen).toContain(200);
});

test('a HEAD counts as a call, and is refused beyond the limit', async () => {
  await using server = await startLimited();
  const path = endpoints.serverInfo.path;
  expect(await statuses(5, () => call(server, path, { method: 'HEAD' }))).toEqual([200, 200, 200, 200, 429]);
  const refused = await call(server, path, { method: 'HEAD' });
  expect(refused.text).toBe('');
  expect(refused.headers.get('Retry-After')).toBe('1');
  expect((await callFrom(server, '203.0.113.1', path)).status).toBe(200);
});

test.each([
  ['nobody', {}],
  ['nobody in a browser', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' }],
  ['a person', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' }],
  ['a browser that fetches ahead', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', Purpose: 'prefetch' }],
])('a HEAD of %s to the plans sends no request to the provider', async (who, headers) => {
  await using shop = await openShop();
  const { browser } = await signUpAndIn(shop.server);
  using line = openLine(shop.server);
  const sent: Record<string, string> = { ...headers, ...(who === 'a person' && { Cookie: cookiesOf(browser) }) };
  for (const plan of [undefined, 'basic_monthly']) {
    const answer = await line.send('HEAD', planPath(plan), sent);
    const ahead = 'Purpose' in sent;
    expect([answer.status, answer.headers['location'], answer.text]).toEqual(
      ahead ? [503, undefined, ''] : [303, '/plan-pricing?problem=other-site', ''],
    );
  }
  expect(shop.stripe.calls).toEqual([]);
});

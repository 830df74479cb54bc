/** Uploads in progress whose session or key ends. */
import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { goodPassword } from '../harness/accounts.ts';
import { type TestServer } from '../harness/start-server.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { test } from '../harness/server-test.ts';

const boundary = 'kelp';
const beginning = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nfirst half`;
const end = `, second half\r\n--${boundary}--\r\n`;

/** Sends half an upload, then runs `between`, then sends the rest. */
async function uploadAround(server: TestServer, headers: Record<string, string>, between: () => Promise<unknown>) {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(beginning)),
    async pull(controller) {
      await between();
      controller.enqueue(Buffer.from(end));
      controller.close();
    },
  });
  const answer = await fetch(`${server.url}/api/v3/upload`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body,
    duplex: 'half',
  });
  return { status: answer.status, json: await answer.json() };
}

async function filesOf(server: TestServer): Promise<number> {
  return (await server.context.db.selectFrom('files').select('id').execute()).length;
}

test('an upload without an interruption is stored', async ({ server, account: { apiKey } }) => {
  const done = await uploadAround(server, { 'X-API-Key': apiKey }, async () => {});
  expect(done).toMatchObject({ status: 200, json: { success: true } });
});

test('an upload with a key that is changed meanwhile stores nothing', async ({ server }) => {
  const { apiKey, browser } = await signUpAndIn(server);
  const refused = await uploadAround(server, { 'X-API-Key': apiKey }, () => browser.client.changeApiKey());
  expect(refused).toEqual({ status: 401, json: { success: false, error: 'Invalid API key' } });
  expect([await filesOf(server), await storedNames(server)]).toEqual([0, []]);
});

test('an upload in an ended session stores nothing, and one with the key continues', async ({ server }) => {
  const { apiKey, browser, email } = await signUpAndIn(server);
  const other = openBrowser(server);
  await other.client.login({ body: { email, password: goodPassword } });
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const endOthers = () => other.client.endSessions({ body: { others: true } });
  expect(await uploadAround(server, { Cookie }, endOthers)).toMatchObject({ status: 401, json: { success: false } });
  expect([await filesOf(server), await storedNames(server)]).toEqual([0, []]);
  expect(await uploadAround(server, { 'X-API-Key': apiKey }, endOthers)).toMatchObject({ status: 200 });
});

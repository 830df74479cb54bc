/** Deletions, takedowns and new credentials in one process are seen by the others with the next request. */
import { expect, test } from 'vitest';
import { findBytes } from '../../src/moderation/find-file.ts';
import { takeDown } from '../../src/moderation/take-down.ts';
import { type SignedIn, goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { type Browser, openBrowser } from '../harness/browser.ts';
import { noMail, type OneOfSeveral, startSeveral } from '../harness/several-processes.ts';
import { formWith, sendForm, storedNameOf } from '../harness/uploads.ts';

async function startTwo() {
  const { processes, context } = await startSeveral(2);
  const [one, other] = processes;
  if (!one || !other) throw new Error('there are two processes');
  return { one, other, context, signUp: () => signUpAndIn({ url: one.url, mail: noMail, context }) };
}

const actor = { operator: 'ada', action: 'file take-down' };

let addresses = 0;
/** Each call comes from another address, so that none is refused for the number of calls. */
const elsewhere = () => ({ 'X-Forwarded-For': `203.0.113.${(addresses += 1)}` });

const statusOf = async ({ url }: OneOfSeveral, path: string, headers: Readonly<Record<string, string>> = {}) =>
  (await fetch(url + path, { headers: { ...elsewhere(), ...headers } })).status;

async function uploadTo(node: OneOfSeveral, account: SignedIn, text: string) {
  const { url } = await sendForm(node, account, formWith(text, 'a.zip'));
  return storedNameOf(url);
}

/** The same browser at another process. Without TLS the port is part of a cookie's name. */
function move(from: Browser, to: OneOfSeveral): Browser {
  const browser = openBrowser(to, elsewhere());
  for (const [name, value] of from.cookies) browser.cookies.set(name.replace(/\d+$/, new URL(to.url).port), value);
  return browser;
}

/** Several of each, because a race would not show in one. */
const rounds = Array.from({ length: 20 }, (_, at) => at);

test('a file that was deleted or taken down in one process is gone in the other', async () => {
  const { one, other, context, signUp } = await startTwo();
  const ann = await signUp();
  for (const round of rounds) {
    const name = await uploadTo(other, ann, `text ${round}`);
    // Both have it in their memory.
    for (const node of [one, other]) expect(await statusOf(node, `/file/${name}`)).toBe(200);
    if (round % 2 === 0) {
      const body = JSON.stringify({ files: [name] });
      const headers = { ...elsewhere(), 'X-API-Key': ann.apiKey, 'Content-Type': 'application/json' };
      const deleted = await fetch(`${one.url}/api/v3/rest/delete-files`, { method: 'DELETE', headers, body });
      expect(deleted.status).toBe(200);
    } else {
      const target = await findBytes(context, name);
      await takeDown(context, actor, target, `case ${round}`);
    }
    for (const path of [`/file/${name}`, `/file/${name}.sha256`])
      expect([await statusOf(other, path), await statusOf(one, path)]).toEqual([404, 404]);
  }
});

test('an old key, and the sessions before a new password, end in both processes at once', async () => {
  const { one, other, signUp } = await startTwo();
  const ann = await signUp();
  let key = ann.apiKey;
  const list = (node: OneOfSeveral, apiKey: string) =>
    statusOf(node, '/api/v3/rest/get-file-list', { 'X-API-Key': apiKey });
  for (let round = 0; round < 4; round += 1) {
    for (const node of [one, other]) expect(await list(node, key)).toBe(200);
    const changed = await ann.browser.client.changeApiKey();
    expect([await list(other, key), await list(one, key)]).toEqual([401, 401]);
    key = changed.account_info.new_api_key;
    expect([await list(other, key), await list(one, key)]).toEqual([200, 200]);
  }
  const there = move(ann.browser, other);
  expect((await there.client.getAccountInfo()).account.info.email).toBe(ann.email);
  const newPassword = 'Another-Horse-7';
  const body = { old_password: goodPassword, new_password: newPassword, new_password2: newPassword };
  const changing = openBrowser(one, elsewhere());
  await changing.client.login({ body: { email: ann.email, password: goodPassword } });
  await changing.client.changePassword({ body });
  await expect(there.client.getAccountInfo()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
});

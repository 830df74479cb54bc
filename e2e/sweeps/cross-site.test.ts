import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import type { BrowserContext, Page } from '@playwright/test';
import { everyCallFromNewAddress, fromNewAddress } from '../harness/client-address.ts';
import { expect, test } from '../harness/delivery.ts';
import type { OtherSite } from '../harness/other-site.ts';
import type { Site } from '../harness/site.ts';
import { goodPassword, newEmail, type Person, signUpAndIn, uploadByKey } from '../harness/test.ts';

const writes = Object.values<Endpoint>(endpoints).filter(({ method }) => method !== 'GET');

/** A different host, and our own host on another port, where browsers send our cookies along. */
const neighbors = {
  'another site': (other: OtherSite) => other.url,
  'another port of our host': (other: OtherSite) => other.url.replace('127.0.0.1', 'localhost'),
};

/** Request bodies with which each call would have an effect if it were let through. */
function bodies(email: string, file: string, session: string): Record<string, unknown> {
  return {
    [endpoints.login.path]: { email, password: goodPassword },
    [endpoints.createAccount.path]: { email: newEmail(), password: goodPassword, password2: goodPassword },
    [endpoints.verifyEmail.path]: { resend_code_to: email },
    [endpoints.toggleFavorite.path]: { file },
    [endpoints.deleteFiles.path]: { files: [file] },
    [endpoints.setAccountSettings.path]: { continuous_uploading: true },
    [endpoints.setTimezone.path]: { guessed_timezone: 'Asia/Tokyo', timezone_offset_minutes: -540, is_dst: 0 },
    [endpoints.changePassword.path]: { old_password: goodPassword, new_password: 'Stolen-Horse-7' },
    [endpoints.setKeyInForm.path]: { allowed: true },
    [endpoints.requestPasswordReset.path]: { email },
    [endpoints.endSessions.path]: { others: true },
    [endpoints.repeatLogout.path]: { session },
  };
}

/** Every way a page can write to another origin: both fetch modes, and forms with every encoding. */
async function attack(page: Page, target: string, calls: readonly { method: string; path: string; body: unknown }[]) {
  await page.evaluate(
    async ([origin, list]) => {
      for (const { method, path, body } of list) {
        const text = JSON.stringify(body ?? {});
        const send = (init: RequestInit) => fetch(origin + path, { credentials: 'include', ...init }).catch(() => null);
        await send({ method, headers: { 'Content-Type': 'application/json' }, body: text });
        await send({ method: 'POST', mode: 'no-cors', body: text });
        for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
          const frame = document.createElement('iframe');
          frame.name = `frame${Math.random()}`;
          document.body.append(frame);
          const form = document.body.appendChild(document.createElement('form'));
          Object.assign(form, { method: 'POST', action: origin + path, enctype, target: frame.name });
          const field = form.appendChild(document.createElement('input'));
          // With text/plain the name, the equals sign and the value together form the JSON.
          [field.name, field.value] = [`${text.slice(0, -1)},"x":"`, '"}'];
          const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
          form.submit();
          await loaded;
        }
      }
    },
    [target, calls] as const,
  );
}

/** Reads by API key, because the attack may have used up the session's rate limit. */
async function state(context: BrowserContext, site: Site, { apiKey }: Person) {
  const headers = () => ({ 'X-API-Key': apiKey, ...fromNewAddress() });
  const get = async (path: string) => (await context.request.get(site.url + path, { headers: headers() })).json();
  const { account } = await get(endpoints.getAccountInfo.path);
  const settings = await get(endpoints.getAccountSettings.path);
  const { files } = await get(endpoints.getFileList.path);
  return { account, settings: settings.account.settings, files };
}

for (const [where, addressOf] of Object.entries(neighbors)) {
  test(`a page on ${where} changes nothing for a signed-in user`, async ({ site, page, context, other }) => {
    const person = await signUpAndIn(site, context);
    const link = await uploadByKey(site, person, 'mine.txt');
    const file = new URL(link).pathname.replace('/file/', '').replace('.txt', '');
    const before = await state(context, site, person);
    const answers: string[] = [];
    page.on('response', (answer) => {
      const { pathname } = new URL(answer.url());
      const method = answer.request().method();
      if (pathname.startsWith('/api/') && method !== 'OPTIONS')
        answers.push(`${answer.status()} ${method} ${pathname}`);
    });
    await everyCallFromNewAddress(context);
    await other.show(page, 'hello');
    await page.goto(page.url().replace(other.url, addressOf(other)));
    const own = await (await context.request.get(site.url + endpoints.getAccountInfo.path)).json();
    const known = bodies(person.email, file, own.account.session_id);
    await attack(
      page,
      site.url,
      writes.map(({ method, path }) => ({ method, path, body: known[path] })),
    );
    // Each call is refused as cross-site, refused earlier for its method or type, or over the session's rate limit.
    expect(answers.filter((answer) => !/^(403|405|415|429) /.test(answer))).toEqual([]);
    const judged = answers.filter((answer) => !answer.startsWith('429 '));
    expect(new Set(judged.map((answer) => answer.split(' ')[2])).size).toBe(writes.length);
    expect(await state(context, site, person)).toEqual(before);
    const session = () => context.request.get(site.url + endpoints.getAccountInfo.path);
    await expect.poll(async () => (await session()).status()).toBe(200);
  });

  test(`a page on ${where} cannot sign a user in`, async ({ site, page, context, other, browser }) => {
    const attacker = await signUpAndIn(site, await browser.newContext());
    await everyCallFromNewAddress(context);
    await other.show(page, 'hello');
    await page.goto(page.url().replace(other.url, addressOf(other)));
    await attack(page, site.url, [
      { method: 'POST', path: endpoints.login.path, body: { email: attacker.email, password: goodPassword } },
    ]);
    expect(await context.cookies(site.url)).toEqual([]);
  });
}

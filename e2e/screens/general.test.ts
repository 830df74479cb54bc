import type { BrowserContext, Page, Request } from '@playwright/test';
import { freePort } from '../harness/free-port.ts';
import { holdBack } from '../harness/hold-back.ts';
import { errorBox, listenForStatuses, toast } from '../harness/screen.ts';
import { startSite } from '../harness/site.ts';
import { expect, signUpAndIn, test as base } from '../harness/test.ts';

/** The page of an account whose settings no other test changes. */
const test = base.extend<{ ownPage: Page }>({ ownPage: ({ page, person }, use) => use(person && page) });

test.use({ timezoneId: 'Europe/Berlin' });

const path = '/dashboard/general';
const settingsCall = '**/api/v3/rest/get-account-settings';
const changeCall = '**/api/v3/session/set-account-settings';
const detectCall = '**/api/v3/session/set-timezone';

const saved = 'Settings updated successfully';
const automatic = (page: Page) => page.getByRole('switch', { name: 'Automatic Timezone' });
const manual = (page: Page) => page.getByRole('button', { name: /^Manual Timezone/ });
const extensions = (page: Page) => page.getByRole('switch', { name: 'Include Extensions' });
const continuous = (page: Page) => page.getByRole('switch', { name: 'Continuous Uploading' });
const autoDelete = (page: Page) => page.getByRole('slider', { name: 'Auto Delete Inactive Files' });
const nameLength = (page: Page) => page.getByRole('slider', { name: 'Filename Length' });
const zones = (page: Page, which?: { name?: string; selected?: boolean }) =>
  page.getByRole('listbox', { name: 'Manual Timezone' }).getByRole('option', which);
const domain = (page: Page) => page.getByLabel('Default Link Domain');

/** Collects the bodies of one kind of call as they are sent. */
function listen(page: Page, call: string): readonly unknown[] {
  const bodies: unknown[] = [];
  const address = call.slice(2);
  page.on('request', (request: Request) => {
    if (request.url().endsWith(address)) bodies.push(request.method() === 'POST' ? request.postDataJSON() : null);
  });
  return bodies;
}

/** Opens the settings and waits for the first timezone detection, so that later ones can be told apart from it. */
async function openSettings(page: Page) {
  const detected = page.waitForResponse(detectCall);
  await page.goto(path);
  await detected;
  await expect(automatic(page)).toBeVisible();
}

test('until the settings are there it says so', async ({ ownPage: page }) => {
  const held = await holdBack(page, settingsCall);
  await page.goto(path);
  await expect(page.getByText('Loading settings...')).toBeVisible();
  held.letGo();
  await expect(automatic(page)).toBeVisible();
  await expect(page.getByText('Loading settings...')).toBeHidden();
});

test('settings that cannot be loaded say why, and can be asked for again', async ({ ownPage: page }) => {
  const error = { code: 'NOT_FOUND', message: 'Come back later.' };
  await page.route(settingsCall, (route) => route.fulfill({ status: 404, json: { success: false, error } }));
  await page.goto(path);
  await expect(errorBox(page)).toContainText('The settings could not be loaded');
  await expect(errorBox(page)).toContainText('Come back later.');
  await page.unroute(settingsCall);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(automatic(page)).toBeVisible();
});

test('a new account has the settings that everyone starts with', async ({ ownPage: page, site }) => {
  await openSettings(page);
  await expect(automatic(page)).toBeChecked();
  await expect(manual(page)).toBeHidden();
  await expect(extensions(page)).toBeChecked();
  await expect(domain(page)).toHaveValue(new URL(site.url).host);
  await expect(nameLength(page)).toHaveAttribute('aria-valuetext', '8 characters');
  await expect(continuous(page)).not.toBeChecked();
  await expect(autoDelete(page)).toHaveAttribute('aria-valuetext', 'Off');
});

test('opening the settings detects the time zone once, and takes it over', async ({ ownPage: page }) => {
  const guesses = listen(page, detectCall);
  await page.goto(path);
  await expect(toast(page, 'Timezone updated to Europe/Berlin')).toBeVisible();
  await expect(page.getByText('Taken from your browser: Europe/Berlin')).toBeVisible();
  const now = new Date();
  expect(guesses).toEqual([
    {
      guessed_timezone: 'Europe/Berlin',
      timezone_offset_minutes: await page.evaluate((at) => new Date(at).getTimezoneOffset(), now.getTime()),
      is_dst: await page.evaluate((at) => (new Date(at).getTimezoneOffset() === -120 ? 1 : 0), now.getTime()),
    },
  ]);
});

test('a detection that takes its time holds up no change', async ({ ownPage: page }) => {
  await holdBack(page, detectCall);
  await page.goto(path);
  await extensions(page).uncheck();
  await expect(toast(page, saved)).toBeVisible();
});

test('each switch is saved at once, and the settings are read again', async ({ ownPage: page }) => {
  await openSettings(page);
  const changes = listen(page, changeCall);
  for (const { control, key, on } of [
    { control: extensions, key: 'return_file_extension', on: false },
    { control: automatic, key: 'timezone_auto', on: false },
  ]) {
    const readAgain = page.waitForResponse(settingsCall);
    await control(page).setChecked(on);
    await expect(toast(page, saved).last()).toBeVisible();
    await readAgain;
    expect(changes.at(-1)).toEqual({ [key]: on });
  }
  await page.reload();
  await expect(extensions(page)).not.toBeChecked();
  await expect(automatic(page)).not.toBeChecked();
  expect(changes).toHaveLength(2);
});

test('with automatic off a zone is found by typing and chosen by keyboard', async ({ ownPage: page }) => {
  await openSettings(page);
  await automatic(page).uncheck();
  await expect(toast(page, saved)).toBeVisible();
  const changes = listen(page, changeCall);
  const detected = page.waitForResponse(detectCall);
  await manual(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Search Manual Timezone' })).toBeFocused();
  expect(await zones(page).count()).toBeGreaterThan(400);
  await expect(zones(page, { name: 'Europe/Berlin', selected: true })).toBeInViewport();
  await page.keyboard.type('america york');
  await expect(zones(page)).toHaveText(['America/New_York']);
  await page.keyboard.press('Enter');
  await expect(zones(page)).toHaveCount(0);
  await expect(manual(page)).toBeFocused();
  await expect(manual(page)).toHaveText('America/New_York');
  await detected;
  expect(changes).toEqual([{ timezone: 'America/New_York' }]);
  await page.reload();
  await expect(manual(page)).toHaveText('America/New_York');
});

test('the list of zones is walked by arrows, left by Escape, and says when nothing fits', async ({ ownPage: page }) => {
  await openSettings(page);
  await automatic(page).uncheck();
  await manual(page).click();
  const search = page.getByRole('combobox', { name: 'Search Manual Timezone' });
  await search.fill('africa/a');
  const [first, second] = await zones(page).all();
  const active = () => search.getAttribute('aria-activedescendant');
  expect(await active()).toBe(await first?.getAttribute('id'));
  await page.keyboard.press('ArrowDown');
  expect(await active()).toBe(await second?.getAttribute('id'));
  await search.fill('atlantis');
  await expect(page.getByText("Nothing matches 'atlantis'")).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(search).toBeHidden();
  await expect(manual(page)).toHaveText('Europe/Berlin');
});

test('turning automatic on again detects the zone again', async ({ ownPage: page }) => {
  await openSettings(page);
  await automatic(page).uncheck();
  await manual(page).click();
  await zones(page, { name: 'Asia/Tokyo' }).click();
  await expect(manual(page)).toHaveText('Asia/Tokyo');
  const guesses = listen(page, detectCall);
  await automatic(page).check();
  await expect(toast(page, 'Timezone updated to Europe/Berlin').last()).toBeVisible();
  await expect(manual(page)).toBeHidden();
  await expect(page.getByText('Taken from your browser: Europe/Berlin')).toBeVisible();
  expect(guesses.at(-1)).toMatchObject({ guessed_timezone: 'Europe/Berlin' });
});

test('a slider sends only the value at which it is released', async ({ ownPage: page }) => {
  await openSettings(page);
  const changes = listen(page, changeCall);
  await nameLength(page).scrollIntoViewIfNeeded();
  const box = await nameLength(page).boundingBox();
  if (!box) throw new Error('the slider is nowhere');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 100, y, { steps: 5 });
  await expect(nameLength(page)).not.toHaveAttribute('aria-valuetext', '8 characters');
  const length = Number(await nameLength(page).getAttribute('aria-valuenow'));
  expect(changes).toEqual([]);
  await page.mouse.up();
  await expect(toast(page, saved)).toBeVisible();
  expect(changes).toEqual([{ preferred_filename_length: length }]);
  await page.reload();
  await expect(nameLength(page)).toHaveAttribute('aria-valuetext', `${length} characters`);
});

test('a slider moved by keys sends once, a moment after the last one is let go', async ({ ownPage: page }) => {
  await openSettings(page);
  const changes = listen(page, changeCall);
  const saves = listenForStatuses(page, changeCall);
  await nameLength(page).focus();
  for (let repeat = 0; repeat < 4; repeat += 1) await page.keyboard.down('ArrowRight');
  await expect(nameLength(page)).toHaveAttribute('aria-valuetext', '12 characters');
  expect(changes).toEqual([]);
  await page.keyboard.up('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => saves).toEqual([200]);
  await page.keyboard.press('Home');
  await expect.poll(() => saves).toEqual([200, 200]);
  await page.keyboard.press('End');
  await expect.poll(() => saves).toEqual([200, 200, 200]);
  const sent = [12, 4, 32].map((preferred_filename_length) => ({ preferred_filename_length }));
  expect(changes).toEqual(sent);
});

test('a change that the server refuses goes back, with its words', async ({ ownPage: page }) => {
  await openSettings(page);
  const saves = listenForStatuses(page, changeCall);
  const error = { code: 'UNAVAILABLE', message: 'The database is away.' };
  await page.route(changeCall, (route) => route.fulfill({ status: 503, json: { success: false, error } }));
  await page.route(settingsCall, (route) => route.abort());
  await extensions(page)
    .uncheck({ noWaitAfter: true })
    .catch(() => {});
  await expect(toast(page, 'The database is away.')).toBeVisible();
  await expect(extensions(page)).toBeChecked();
  await nameLength(page).focus();
  await page.keyboard.press('End');
  await expect.poll(() => saves).toEqual([503, 503]);
  await expect(nameLength(page)).toHaveAttribute('aria-valuetext', '8 characters');
});

test('a change whose failure has no words has ours, and answers before it fails', async ({ ownPage: page }) => {
  await openSettings(page);
  let fail = () => {};
  const failing = new Promise<void>((resolve) => (fail = resolve));
  await page.route(changeCall, async (route) => {
    await failing;
    await route.fulfill({ status: 502, body: '<!doctype html>' });
  });
  await extensions(page).uncheck();
  fail();
  await expect(toast(page, 'Failed to update settings')).toBeVisible();
  await expect(extensions(page)).toBeChecked();
});

test('changes of one switch reach the server in the order in which they were made', async ({ ownPage: page }) => {
  await openSettings(page);
  const saves = listenForStatuses(page, changeCall);
  const held = await holdBack(page, changeCall);
  await extensions(page).uncheck();
  await extensions(page).check();
  await extensions(page).uncheck();
  held.letGo(3);
  await expect.poll(() => saves).toEqual([200, 200, 200]);
  await expect(extensions(page)).not.toBeChecked();
  await page.reload();
  await expect(extensions(page)).not.toBeChecked();
});

for (const length of [3, undefined]) {
  test(`a filename length of ${length ?? 'nothing'} counts as 8`, async ({ ownPage: page }) => {
    await page.route(settingsCall, async (route) => {
      const answer = await (await route.fetch()).json();
      answer.account.settings.preferred_filename_length = length;
      await route.fulfill({ json: answer });
    });
    await page.goto(path);
    await expect(nameLength(page)).toHaveAttribute('aria-valuetext', '8 characters');
    // The settings are requested more than once, and a modified response must not outlive its test.
    await page.unrouteAll({ behavior: 'wait' });
  });
}

test('the link domain is one of those that the operator has', async ({ browser }) => {
  const port = String(await freePort());
  const hosts = [`localhost:${port}`, `127.0.0.1:${port}`];
  const origins = hosts.map((host) => `http://${host}`);
  await using site = await startSite({
    PORT: port,
    PUBLIC_URL: `http://localhost:${port}`,
    FILE_ORIGINS: origins.join(),
  });
  await using context: BrowserContext = await browser.newContext({ baseURL: site.url });
  await signUpAndIn(site, context);
  const page = await context.newPage();
  await openSettings(page);
  await expect(domain(page).getByRole('option')).toHaveText(hosts);
  await expect(domain(page)).toHaveValue(`localhost:${port}`);
  await domain(page).selectOption(`127.0.0.1:${port}`);
  await expect(toast(page, saved)).toBeVisible();
  await page.reload();
  await expect(domain(page)).toHaveValue(`127.0.0.1:${port}`);
});

test('settings that delete files say which files are deleted and which are kept', async ({ ownPage: page }) => {
  await openSettings(page);
  for (const control of [continuous(page), autoDelete(page)]) {
    await expect(control).toHaveAccessibleDescription(/for good.*Favorites are never deleted/);
  }
});

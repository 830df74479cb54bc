/**
 * Access matrix: every route × every kind of caller → the status. The test compares the routes with those of the real
 * server: one missing here fails, and so does one missing there.
 */
import { type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { tusContentType, tusPath } from '@holdfast/contract/src/resumable.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiKey } from '../../src/accounts/api-key.ts';
import { goodPassword, newEmail, type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { signUp } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { tusOf } from '../harness/tus.ts';
import { uploadFile } from '../harness/uploads.ts';

/** In order of the calls: callers who are really allowed come last, since the call may be irreversible. */
const callers = [
  'nobody',
  'an unverified sign-up',
  'the key of an unverified account',
  "another account's session",
  "another account's key",
  'the old key',
  'the session of a deleted account',
  'the key of a deleted account',
  'the key in the form',
  'the key as a Bearer token',
  'the key',
  'the session',
] as const;

const everybody = (status: number) => callers.map(() => status);
/** Routes for the API key. */
const account = [401, 401, 401, 200, 200, 401, 401, 401, 401, 200, 200, 200];
/** Only an upload has a form. */
const uploading = account.with(8, 200);
/** Session routes never accept a key, and act on the caller's own account. */
const session = [401, 401, 401, 200, 401, 401, 401, 401, 401, 401, 401, 200];

/** HEAD is supported wherever GET is. */
const read = (path: string, statuses: readonly number[]) => ({ [`GET ${path}`]: statuses, [`HEAD ${path}`]: statuses });

const matrix: Readonly<Record<string, readonly number[]>> = {
  'POST /api/v3/upload': uploading,
  'POST /api/v3/upload.php': uploading,
  'PUT /api/v3/upload/*': account,
  'POST /api/v3/rest/upload-batch': account,
  'POST /api/v3/tus': [401, 401, 401, 201, 201, 401, 401, 401, 401, 201, 201, 201],
  // Another account has no such upload.
  'PATCH /api/v3/tus/:id': [401, 401, 401, 404, 404, 401, 401, 401, 401, 204, 204, 204],
  'HEAD /api/v3/tus/:id': [401, 401, 401, 404, 404, 401, 401, 401, 401, 200, 200, 200],
  'DELETE /api/v3/tus/:id': [401, 401, 401, 404, 404, 401, 401, 401, 401, 204, 404, 404],
  ...read('/api/v3/rest/get-file-list', account),
  // Another account has no such file.
  'POST /api/v3/rest/toggle-favorite': [401, 401, 401, 404, 404, 401, 401, 401, 401, 200, 200, 200],
  // Files of other accounts are ignored.
  'DELETE /api/v3/rest/delete-files': account,
  'POST /api/v3/rest/restore-files': account,
  ...read('/api/v3/rest/get-account-info', account),
  ...read('/api/v3/rest/get-account-settings', account),
  'POST /api/v3/session/set-account-settings': session,
  'POST /api/v3/session/set-timezone': session,
  'POST /api/v3/session/change-password': session,
  'POST /api/v3/session/change-api-key': session,
  'POST /api/v3/session/set-key-in-form': session,
  'POST /api/v3/session/confirm-password': session,
  'DELETE /api/v3/session/delete-account': session,
  'POST /api/v3/session/set-favorites': session,
  ...read('/api/v3/session/get-deleted-files', session),
  ...read('/api/v3/session/get-unfinished-uploads', session),
  // Another account has no such file.
  ...read('/api/v3/session/get-file', session.with(3, 404)),
  ...read('/api/v3/session/get-activity', session),
  ...read('/api/v3/session/get-eviction-preview', session),
  ...read('/api/v3/session/get-inactive-files', session),
  ...read('/api/v3/session/get-subscription', session),
  ...read('/api/v3/session/get-sessions', session),
  'POST /api/v3/session/end-sessions': session,
  ...read('/api/v3/session/get-first-steps', session),
  'POST /api/v3/session/change-first-steps': session,
  'POST /api/v3/session/login': everybody(200),
  'POST /api/v3/session/create-account': everybody(200),
  'POST /api/v3/session/verify-email': everybody(400),
  'POST /api/v3/session/request-password-reset': everybody(200),
  'POST /api/v3/session/reset-password': everybody(400),
  'POST /api/v3/session/logout': everybody(200),
  ...read('/api/v3/session/server-info', everybody(200)),
  ...read('/api/v3/session/captcha-challenge', everybody(200)),
  'OPTIONS /api/v3/tus': everybody(204),
  'OPTIONS /api/v3/tus/:id': everybody(204),
  'OPTIONS /api/v3/upload': everybody(204),
  'OPTIONS /api/v3/upload.php': everybody(204),
  'OPTIONS /api/v3/upload/*': everybody(204),
  'OPTIONS /api/v3/rest/upload-batch': everybody(204),
  'OPTIONS /api/v3/rest/get-file-list': everybody(204),
  'OPTIONS /api/v3/rest/toggle-favorite': everybody(204),
  'OPTIONS /api/v3/rest/delete-files': everybody(204),
  'OPTIONS /api/v3/rest/restore-files': everybody(204),
  'OPTIONS /api/v3/rest/get-account-info': everybody(204),
  'OPTIONS /api/v3/rest/get-account-settings': everybody(204),
  // Every browser is redirected to a page, whether signed in or not.
  ...read('/api/stripe/subscription', everybody(303)),
  'ANY /api': everybody(404),
  'ANY /api/*': everybody(404),
  // Its token is wrong.
  ...read('/delete/:name/:token', everybody(404)),
  'POST /delete/:name/:token': everybody(404),
  ...read('/file/*', everybody(200)),
  'OPTIONS /file/*': everybody(204),
  // A tier that does not exist: the refusal is as public as the bytes.
  ...read('/speed-test/250MB.bin', everybody(400)),
  'OPTIONS /speed-test/250MB.bin': everybody(204),
  ...read('/openapi.json', everybody(200)),
  ...read('/assets/*', everybody(404)),
  ...read('/robots.txt', everybody(200)),
  ...read('/sitemap.xml', everybody(200)),
  ...read('/site.webmanifest', everybody(200)),
  'POST /share': everybody(303),
  ...read('/.well-known/security.txt', everybody(404)),
  ...read('/.well-known/change-password', everybody(302)),
  ...read('/*', everybody(404)),
};

/** Present only when the web app is built, and the same for all callers. */
const builtFiles = [
  '/theme.js',
  '/share-worker.js',
  '/favicon.svg',
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/icon-192.png',
  '/icon-512.png',
  '/social.png',
  '/licenses.txt',
];

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server[Symbol.asyncDispose]());

test('the matrix has exactly the routes of the server', () => {
  const there = server.routes.filter((route) => !builtFiles.some((path) => route.endsWith(` ${path}`)));
  expect([...new Set(there)].toSorted()).toEqual(Object.keys(matrix).toSorted());
});

test.each(Object.keys(matrix))('%s', async (route) => {
  const stage = await stageFor(route);
  expect(await statusesOf(stage, route)).toEqual(expected(matrix[route]));
});

const expected = (statuses: readonly number[] | undefined) =>
  Object.fromEntries(callers.map((caller, at) => [caller, statuses?.[at]]));

async function statusesOf(stage: Awaited<ReturnType<typeof setUp>>, route: string): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const caller of callers) statuses[caller] = await stage.ask(caller, route);
  return statuses;
}

test('calls of another account change nothing of the owner', async () => {
  const stage = await setUp();
  const state = async () => {
    const { browser } = stage.owner;
    const { account: info } = await browser.client.getAccountInfo();
    const { account: settings } = await browser.client.getAccountSettings();
    const { files } = await browser.client.getFileList({ query: {} });
    const { sessions } = await browser.client.getSessions();
    return { info, settings, files, sessions };
  };
  const before = await state();
  for (const route of Object.keys(matrix))
    if (!/logout|login|create-account|\/file|upload/.test(route))
      for (const caller of callers.slice(0, 8)) await stage.ask(caller, route);
  expect(await state()).toEqual(before);
});

/** Every call that acts on the account of a session. */
const ofSessions = Object.values<Endpoint>(endpoints)
  .filter(({ access }) => access !== 'public')
  .flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((each) => `${method} ${each}`));

test.each(ofSessions)('%s is refused and changes nothing if Holdfast-Account is another account', async (route) => {
  const stage = await stageFor(route);
  const before = await rowsOfPeople();
  expect(await stage.ask('the session', route, { 'Holdfast-Account': stage.other.email })).toBe(409);
  expect(await rowsOfPeople()).toEqual(before);
  // An address is case-insensitive.
  expect(await stage.ask('the session', route, { 'Holdfast-Account': stage.owner.email.toUpperCase() })).toBe(200);
});

test('with a key the Holdfast-Account header is ignored', async () => {
  const stage = await stageFor('');
  const meant = { 'Holdfast-Account': stage.other.email };
  expect(await stage.ask('the key', 'POST /api/v3/upload', meant)).toBe(200);
});

async function rowsOfPeople() {
  const { db } = server.context;
  const all = (table: 'accounts' | 'sessions' | 'files' | 'activity') => db.selectFrom(table).selectAll().execute();
  return Promise.all([all('accounts'), all('sessions'), all('files'), all('activity')]);
}

/** Irreversible calls need their own people; all other calls can share them. */
const forGood =
  /change-password|confirm-password|change-api-key|delete-account|end-sessions|logout|delete-files|login|DELETE .*tus/;
let shared: ReturnType<typeof setUp> | undefined;
const stageFor = (route: string) => (forGood.test(route) ? setUp() : (shared ??= setUp()));

/** People of every kind, and one file of the owner. */
async function setUp() {
  const owner = await signUpAndIn(server);
  const file = await uploadFile(server, owner);
  const upload = await tusOf(server, owner).begin(5);
  const oldKey = owner.apiKey;
  const { account_info } = await owner.browser.client.changeApiKey();
  await owner.browser.client.setKeyInForm({ body: { allowed: true } });
  const other = await signUpAndIn(server);
  const deleted = await signUpAndIn(server);
  const deletedCookies = new Map(deleted.browser.cookies);
  await deleted.browser.client.deleteAccount();
  const unverifiedEmail = newEmail();
  const unverified = await signUp(server, unverifiedEmail);
  const cookiesOf = ({ browser }: SignedIn) => browser.cookies;
  const key = account_info.new_api_key;
  const credentials: Record<(typeof callers)[number], Omit<Sent, 'file' | 'upload' | 'email'>> = {
    nobody: {},
    'an unverified sign-up': { cookies: unverified.cookies },
    'the key of an unverified account': { key: await keyFromDatabase(unverifiedEmail) },
    "another account's session": { cookies: cookiesOf(other) },
    "another account's key": { key: other.apiKey },
    'the old key': { key: oldKey },
    'the session of a deleted account': { cookies: deletedCookies },
    'the key of a deleted account': { key: deleted.apiKey },
    'the key in the form': { formKey: key },
    'the key as a Bearer token': { token: key },
    'the key': { key },
    'the session': { cookies: cookiesOf(owner) },
  };
  const ask = (caller: (typeof callers)[number], route: string, headers: Record<string, string> = {}) =>
    statusOf(route, { file, upload, email: owner.email, ...credentials[caller] }, headers);
  return { owner, other, ask };
}

async function keyFromDatabase(email: string): Promise<string> {
  const row = await server.context.db
    .selectFrom('accounts')
    .select(['id', 'key_sealed'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return openApiKey(server.context, row.id, row.key_sealed);
}

interface Sent {
  readonly file: string;
  readonly upload: string;
  readonly email: string;
  readonly key?: string;
  readonly token?: string;
  readonly formKey?: string;
  readonly cookies?: ReadonlyMap<string, string>;
}

/** Sends a request that is valid except perhaps for its sender. */
async function statusOf(
  route: string,
  { file, upload, email, key, token, formKey, cookies }: Sent,
  more: Readonly<Record<string, string>>,
): Promise<number> {
  const [method = '', pattern = ''] = route.split(' ');
  const headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin', ...more };
  if (key !== undefined) headers['X-API-Key'] = key;
  if (token !== undefined) headers['Authorization'] = `Bearer ${token}`;
  if (cookies) headers['Cookie'] = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const path = pattern
    .replace(`${tusPath}/:id`, upload)
    .replace('/file/*', `/file/${file}`)
    .replace('/upload/*', '/upload/hello.txt')
    .replace('*', 'no/such/thing');
  if (pattern.startsWith(tusPath)) Object.assign(headers, tusHeaders(method));
  const { body, query = '' } = inputFor(pattern, file, email, formKey);
  const sendsBody = !['GET', 'HEAD', 'OPTIONS', 'ANY'].includes(method) && body !== undefined;
  if (sendsBody && !(body instanceof FormData)) headers['Content-Type'] ??= 'application/json';
  const answer = await fetch(server.url + path + query, {
    method: method === 'ANY' ? 'GET' : method,
    headers,
    redirect: 'manual',
    ...(sendsBody && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

const tusHeaders = (method: string) => ({
  'Tus-Resumable': '1.0.0',
  ...(method === 'POST' && { 'Upload-Length': '5', 'Upload-Metadata': `filename ${btoa('hello.txt')}` }),
  // No bytes change nothing.
  ...(method === 'PATCH' && { 'Upload-Offset': '0', 'Content-Type': tusContentType }),
});

function inputFor(path: string, file: string, email: string, formKey?: string): { body?: unknown; query?: string } {
  const upload = new FormData();
  if (formKey !== undefined) upload.append('api_key', formKey);
  upload.append('file', new Blob(['hello']), 'hello.txt');
  const unknown = newEmail();
  const inputs: Record<string, { body?: unknown; query?: string }> = {
    [endpoints.upload.path]: { body: upload },
    '/api/v3/upload.php': { body: upload },
    '/api/v3/upload/*': { body: 'hello' },
    '/api/v3/rest/upload-batch': { body: upload },
    [endpoints.toggleFavorite.path]: { body: { file } },
    [endpoints.setFavorites.path]: { body: { files: [file], is_favorite: true } },
    [endpoints.deleteFiles.path]: { body: { files: [file] } },
    [endpoints.restoreFiles.path]: { body: { files: [file] } },
    [endpoints.setAccountSettings.path]: { body: { preferred_filename_length: 12 } },
    [endpoints.setTimezone.path]: {
      body: { guessed_timezone: 'Europe/Berlin', timezone_offset_minutes: -60, is_dst: 0 },
    },
    [endpoints.changePassword.path]: { body: { old_password: goodPassword, new_password: 'Other-Horse-8' } },
    [endpoints.confirmPassword.path]: { body: { password: goodPassword } },
    [endpoints.setKeyInForm.path]: { body: { allowed: true } },
    [endpoints.changeFirstSteps.path]: { body: { copied: 'api_key' } },
    [endpoints.endSessions.path]: { body: { others: true } },
    [endpoints.login.path]: { body: { email, password: goodPassword } },
    [endpoints.createAccount.path]: { body: { email: unknown, password: goodPassword, password2: goodPassword } },
    [endpoints.verifyEmail.path]: { body: { code: '000000', email: unknown } },
    [endpoints.requestPasswordReset.path]: { body: { email: unknown } },
    [endpoints.resetPassword.path]: {
      body: { reset_key: 'x'.repeat(43), password: 'Other-Horse-8', password2: 'Other-Horse-8' },
    },
    [endpoints.captchaChallenge.path]: { query: '?action=login' },
    [endpoints.getFile.path]: { query: `?file=${file}` },
    [endpoints.getInactiveFiles.path]: { query: '?days=30' },
  };
  return inputs[path] ?? {};
}

test('the matrix contains every call of the contract', () => {
  for (const { method, path } of Object.values<Endpoint>(endpoints))
    expect(matrix).toHaveProperty([`${method} ${path}`]);
});

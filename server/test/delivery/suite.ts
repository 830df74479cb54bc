import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { sha1, sha256, uploadFile } from '../harness/uploads.ts';
import { ask, headerOf, type Told } from './ask.ts';
import { type Case, cases, contents, type FileName, type Files, type Stored } from './cases.ts';
import type { Front } from './front.ts';
import { policies, type Policy, policyOfExtension } from './policies.ts';

/**
 * Runs the table of public delivery against the front that `open` opens. For the cases whose title is in `refused`, the
 * request never arrives: the front itself returns 400.
 */
export function describeDelivery(open: () => Promise<Front>, refused: ReadonlySet<string> = new Set()): void {
  let front: Front;
  let files: Files;
  beforeAll(async () => {
    front = await open();
    files = await uploadAll(front);
  });
  afterAll(() => front[Symbol.asyncDispose]());

  test.each(cases.map((each) => [each.says, each] as const))('%s', async (_, each) => {
    const file = files[each.file];
    const told = await ask(front, requestFor(each, file));
    if (refused.has(each.says)) return expect(told.status).toBe(400);
    expect(told.status).toBe(each.status);
    for (const [name, value] of Object.entries(each.answers?.(file) ?? {}))
      expect(headerOf(told, name), name).toBe(value);
    expectPublicHeaders(told, each.policy);
    expectBody(told, each, file);
  });

  // A range is defined only for GET, so HEAD describes the GET without one (RFC 9110 sections 9.3.2 and 14.2).
  test.each(cases.map((each) => [each.says, each] as const))('HEAD as GET: %s', async (_, each) => {
    const file = files[each.file];
    const { target, headers } = requestFor(each, file);
    const whole = headers.filter((line) => !/^Range:/i.test(line));
    const get = await ask(front, { target, headers: whole });
    const head = await ask(front, { method: 'HEAD', target, headers });
    expect(head.status).toBe(get.status);
    expect(head.body.length).toBe(0);
    expect(lasting(head)).toEqual(lasting(get));
  });

  test.each([
    ['/file/', [404]],
    ['/file/abc', [404]],
    [`/file/${'a'.repeat(65)}`, [404]],
    [`/file/${'a'.repeat(8_000)}`, [404]],
    ['/file/abcd1234/', [404]],
    ['/file/abcd1234%2F', [404]],
    ['/file//etc/passwd', [404]],
    ['/file/..%2f..%2fetc%2fpasswd', [400, 404]],
    ['/file/../../etc/passwd', [400, 404]],
    ['/file/%2e%2e/%2e%2e/etc/passwd', [400, 404]],
    ['/file/....//....//etc/passwd', [404]],
    ['/file/..%5c..%5cwindows', [404]],
    ['/file/abcd1234%00', [400, 404]],
    ['/file/abcd1234%00.txt', [400, 404]],
    ['/file/%', [400, 404]],
    ['/file/%zz', [400, 404]],
    ['/file/%c0%ae%c0%ae', [400, 404]],
    ['/file/%25%32%65', [404]],
    ['/file/abcd1234;a=b', [404]],
    ['/file/__proto__', [404]],
    ['/file/constructor', [404]],
  ])('%.60s is no file', async (target, statuses) => {
    const told = await ask(front, { target });
    expect(statuses).toContain(told.status);
    expect(told.body.toString()).not.toContain('root:');
  });

  test('characters of a name may be percent-encoded', async () => {
    const { path, bytes } = files.text;
    const target = path.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`);
    expect((await ask(front, { target })).body).toEqual(bytes);
  });

  test('only video and audio may run the scripts of a player, by their extension', async () => {
    const account = await signUpAndIn(front.server, { plan: 'power' });
    for (const [extension, policy] of policyOfExtension) {
      const name = await uploadFile(front.server, account, '<script>alert(1)</script>', `a.${extension}`);
      for (const target of [`/file/${name}`, `/file/${name}.${extension}`]) {
        const told = await ask(front, { target });
        expect(told.status, target).toBe(200);
        expect(headerOf(told, 'content-security-policy'), extension).toBe(policies[policy]);
        expect(/^(?:video|audio)\//.test(headerOf(told, 'content-type') ?? ''), extension).toBe(policy === 'media');
      }
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])('%s is not for files', async (method) => {
    const told = await ask(front, { method, target: files.text.path, headers: ['Content-Length: 0'] });
    expect(told.status).toBe(405);
    expectPublicHeaders(told);
    expect(headerOf(told, 'allow')).toBe('GET, HEAD, OPTIONS');
  });

  test('any site may ask for any part of a file from a script', async () => {
    const told = await ask(front, {
      method: 'OPTIONS',
      target: files.text.path,
      headers: [
        'Origin: https://other.example',
        'Access-Control-Request-Method: GET',
        'Access-Control-Request-Headers: range',
      ],
    });
    expect(told.status).toBe(204);
    expect(told.body.length).toBe(0);
    expect(headerOf(told, 'access-control-allow-origin')).toBe('*');
    expect(headerOf(told, 'access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(headerOf(told, 'access-control-allow-headers')).toMatch(/\bRange\b.*\bIf-Range\b/);
    expect(headerOf(told, 'access-control-allow-credentials')).toBeUndefined();
  });

  test('two Host headers are refused', async () => {
    const told = await ask(front, { target: files.text.path, headers: [`Host: ${front.host}`] });
    expect(told.status).toBe(400);
  });
}

async function uploadAll({ server }: Front): Promise<Files> {
  const account = await signUpAndIn(server, { plan: 'power' });
  // In the middle of a second: a date is less precise than the server's clock.
  server.clock.advance(1_500 - (server.clock.now() % 1_000));
  const date = (seconds: number) => new Date(server.clock.now() + seconds * 1_000).toUTCString();
  const entries: [FileName, Stored][] = [];
  for (const [key, { name, bytes }] of Object.entries(contents)) {
    const path = `/file/${await uploadFile(server, account, new Uint8Array(bytes), name)}`;
    const times = { modified: date(0), before: date(-1), after: date(1) };
    entries.push([key as FileName, { path, bytes, etag: `"${sha256(bytes)}"`, ...times }]);
  }
  return Object.fromEntries(entries) as unknown as Files;
}

const requestFor = ({ method, rest = '', headers }: Case, file: Stored) => ({
  ...(method !== undefined && { method }),
  target: file.path + rest,
  headers: headers?.(file) ?? [],
});

const publicHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
};

/** Every response has the headers that make untrusted bytes harmless, and none of them twice. */
function expectPublicHeaders(told: Told, policy: Policy = 'plain'): void {
  const names = told.headers.map(([name]) => name);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  expect(Object.fromEntries(told.headers)).toMatchObject(publicHeaders);
  expect(headerOf(told, 'content-security-policy')).toBe(policies[policy]);
  expect(names).not.toContain('set-cookie');
  expect(names).not.toContain('content-encoding');
  expect(names).toContain('date');
}

function expectBody(told: Told, { status, body }: Case, { bytes }: Stored): void {
  if (body !== 'none') expect(headerOf(told, 'content-length')).toBe(String(told.body.length));
  if (body === 'none') expect(told.body.length).toBe(0);
  else if (body === 'text') expect(told.body.toString()).toMatch(/^[A-Z].*\.\n$/);
  else if (body === 'digest') expect(told.body.toString()).toBe(sha256(bytes));
  else if (body === 'sha1') expect(told.body.toString()).toBe(sha1(bytes));
  else if (body === 'whole') expectBytes(told.body, bytes);
  else {
    const parts = status === 206 && body.length > 1 ? partsOf(told) : [{ range: undefined, bytes: told.body }];
    expect(parts.length).toBe(body.length);
    for (const [at, [start, end]] of body.entries()) {
      if (body.length > 1) expect(parts[at]?.range).toBe(`bytes ${start}-${end}/${bytes.length}`);
      expectBytes(parts[at]?.bytes, bytes.subarray(start, end + 1));
    }
  }
}

function expectBytes(found: Buffer | undefined, expected: Buffer): void {
  expect(found?.length).toBe(expected.length);
  expect(found?.equals(expected)).toBe(true);
}

/** Parses the parts of a multipart/byteranges body (RFC 9110 section 14.6) strictly. */
function partsOf(told: Told): { range: string | undefined; bytes: Buffer }[] {
  const [, boundary] = /^multipart\/byteranges; boundary=([\w-]+)$/.exec(headerOf(told, 'content-type') ?? '') ?? [];
  const pieces = told.body.toString('latin1').split(`\r\n--${boundary}`);
  expect(pieces.shift()).toBe('');
  expect(pieces.pop()).toBe('--\r\n');
  return pieces.map((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    const head = piece.slice(0, end);
    expect(head).toMatch(/\r\nContent-Type: \S+/);
    const [, range] = /\r\nContent-Range: ([^\r]+)/.exec(head) ?? [];
    return { range, bytes: Buffer.from(piece.slice(end + 4), 'latin1') };
  });
}

/** Returns the headers that do not change between responses, sorted. */
const lasting = (told: Told) =>
  told.headers
    .filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted();

import { expect } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer } from '../harness/start-server.ts';
import { fileUrl, formWith, sendForm, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { test } from '../harness/server-test.ts';

/** Body that a browser sends for a file input without a file. */
const emptyInput =
  '--edge\r\nContent-Disposition: form-data; name="file"; filename=""\r\n' +
  'Content-Type: application/octet-stream\r\n\r\n\r\n';

test.each([
  ['no boundary', 'multipart/form-data', '', 400, /no boundary/],
  ['another content type', 'application/x-www-form-urlencoded', 'file=x', 415, /./],
  ['an empty body', 'multipart/form-data; boundary=edge', '', 400, /ended before/],
  [
    'a truncated file',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello',
    400,
    /ended before/,
  ],
  ['a truncated header', 'multipart/form-data; boundary=edge', '--edge\r\nContent-Dispo', 400, /ended before/],
  [
    'a broken part header',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition\r\n\r\nhello\r\n--edge--\r\n',
    400,
    /Content-Disposition/,
  ],
  [
    'no part header',
    'multipart/form-data; boundary=edge',
    '--edge\r\n\r\nhello\r\n--edge--\r\n',
    400,
    /Content-Disposition/,
  ],
  [
    'an endless part header',
    'multipart/form-data; boundary=edge',
    `--edge\r\nX: ${'x'.repeat(20_000)}`,
    400,
    /too long/,
  ],
  [
    'an empty field name',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition: form-data; name=""; filename="a.txt"\r\n\r\nhello\r\n--edge--\r\n',
    400,
    /no field name/,
  ],
  [
    'a file as a plain field',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition: form-data; name="file"\r\n\r\nhello\r\n--edge--\r\n',
    400,
    /no file/,
  ],
  ['no part at all', 'multipart/form-data; boundary=edge', '--edge--\r\n', 400, /no file/],
  ['an empty file input', 'multipart/form-data; boundary=edge', `${emptyInput}--edge--\r\n`, 400, /no file/],
  [
    'two empty file inputs',
    'multipart/form-data; boundary=edge',
    `${emptyInput}${emptyInput}--edge--\r\n`,
    400,
    /no file/,
  ],
  ['junk after a boundary', 'multipart/form-data; boundary=edge', '--edgejunk\r\n\r\n', 400, /broken boundary/],
  [
    'two files',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na\r\n'.repeat(2) + '--edge--\r\n',
    400,
    /one file/,
  ],
  [
    'many parts',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition: form-data; name="x"\r\n\r\na\r\n'.repeat(40) + '--edge--\r\n',
    400,
    /too many parts/,
  ],
])('a form with %s is refused and stores nothing', async (_what, type, body, status, error) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const answer = await fetch(`${server.url}/api/v3/upload`, {
    method: 'POST',
    headers: { 'Content-Type': type, 'X-API-Key': account.apiKey },
    body,
  });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toEqual({ success: false, error: expect.stringMatching(error) });
  expect(await storedNames(server)).toEqual([]);
  expect(await sendForm(server, account, formWith('still fine'))).toMatchObject({ status: 200 });
});

test.each([
  ['../../etc/passwd.txt', 'passwd.txt'],
  ['C:\\Users\\ada\\notes.txt', 'notes.txt'],
  ['say "cheese".txt', 'say "cheese".txt'],
  ['a\u202Etxt.gpj.txt', 'atxt.gpj.txt'],
  ['line\r\nbreak.txt', 'linebreak.txt'],
  ['nul\0.txt', 'nul.txt'],
  [`${'é'.repeat(5000)}.txt`, `${'é'.repeat(125)}.txt`],
  ['مرحبا.txt', 'مرحبا.txt'],
  ['first\u2028second\u2029third.txt', 'firstsecondthird.txt'],
  [`n${'\u0301'.repeat(150)}.txt`, `\u0144${'\u0301'.repeat(124)}.txt`],
])('the name %j is stored as %j and returned in the header', async (sent, kept) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const stored = await uploadFile(server, account, 'x', sent);
  expect((await account.byKey.getFileList({ query: {} })).files[0]?.original_name).toBe(kept);
  const { parse } = await import('content-disposition');
  const header = (await fetch(fileUrl(server, stored))).headers.get('Content-Disposition') ?? '';
  expect(parse(header)).toMatchObject({ type: 'inline', parameters: { filename: kept } });
});

const filePart = (filename: string, content: string) =>
  `--edge\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n${content}\r\n`;

test.each([
  ['a file after an empty file input', emptyInput + filePart('a.txt', 'hello'), 'a.txt', 5],
  ['a file before an empty file input', filePart('a.txt', 'hello') + emptyInput, 'a.txt', 5],
  ['an empty file that has a name', filePart('a.txt', ''), 'a.txt', 0],
  ['bytes without a name', filePart('', 'hello'), 'file', 5],
])('%s is stored as the only file', async (_what, parts, name, size) => {
  await using server = await startServer();
  const account = await signUpAndIn(server, { plan: 'power' });
  const answer = await fetch(`${server.url}/api/v3/upload`, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=edge', 'X-API-Key': account.apiKey },
    body: `${parts}--edge--\r\n`,
  });
  expect(answer.status).toBe(200);
  const { files } = await account.byKey.getFileList({ query: {} });
  expect(files).toMatchObject([{ original_name: name, size }]);
  expect(await storedNames(server)).toHaveLength(1);
});

test('a quote escaped with a backslash is part of the name', async ({ server, account }) => {
  const part = (filename: string) => `Content-Disposition: form-data; name="file"; filename="${filename}"`;
  for (const [written, kept] of [
    ['a\\"q\\".txt', 'a"q".txt'],
    ['a%22q%22.txt', 'a"q".txt'],
    ['C:\\notes\\a.txt', 'a.txt'],
  ] as const) {
    const answer = await fetch(`${server.url}/api/v3/upload`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=edge', 'X-API-Key': account.apiKey },
      body: `--edge\r\n${part(written)}\r\n\r\nx\r\n--edge--\r\n`,
    });
    expect(answer.status).toBe(200);
    const { files } = await account.byKey.getFileList({ query: { limit: 1 } });
    expect(files[0]?.original_name).toBe(kept);
    server.clock.advance(1);
  }
});

test.each([
  ['without a key', 401, '', 'a.zip'],
  ['with a refused extension', 415, 'key', 'a.exe'],
])('a client gets the refusal of a large body %s, twice in a row', async (_what, status, key, name) => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  const headers: Record<string, string> = key === '' ? {} : { 'X-API-Key': account.apiKey };
  for (let round = 0; round < 2; round += 1) {
    const body = formWith(Buffer.alloc(50_000_000), name);
    const answer = await fetch(`${server.url}/api/v3/upload`, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ success: false });
  }
});

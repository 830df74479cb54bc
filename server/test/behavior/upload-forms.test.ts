import { parse } from 'content-disposition';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { shareServer } from '../harness/server-test.ts';
import { fileUrl, formWith, sendForm, sha256, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';

const { server } = await shareServer();

const encodedPart = (encoding: string, content: string) =>
  filePart('a.txt', content).replace('\r\n\r\n', `\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`);

const filePart = (filename: string, content: string) =>
  `--edge\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n${content}\r\n`;

/** Body that a browser sends for a file input without a file. */
const emptyInput = filePart('', '');

async function post({ apiKey }: SignedIn, body: string, type = 'multipart/form-data; boundary=edge') {
  const headers = { 'Content-Type': type, 'X-API-Key': apiKey };
  const answer = await fetch(`${server.url}/api/v3/upload`, { method: 'POST', headers, body });
  return { status: answer.status, json: await answer.json() };
}

test.each([
  ['no boundary', '', 400, /no boundary/, 'multipart/form-data'],
  ['another content type', 'file=x', 415, /curl .* -F file=@FILE/, 'application/x-www-form-urlencoded'],
  ['JSON', '{}', 415, /curl .* -F file=@FILE/, 'application/json'],
  ['what is called JSON', 'hello', 415, /curl .* -F file=@FILE/, 'application/json'],
  ['an empty content type', 'hello', 415, /curl .* -F file=@FILE/, ' '],
  ['a malformed content type', 'hello', 415, /curl .* -F file=@FILE/, 'multipart form-data'],
  [
    'a boundary that is not in it',
    `${filePart('a.txt', 'x')}--edge--\r\n`,
    400,
    /Content-Type/,
    'multipart/form-data; boundary=b',
  ],
  ['the bytes alone', 'hello', 415, /curl .* -F file=@FILE/, 'application/octet-stream'],
  [
    'a truncated file',
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello',
    400,
    /ended before/,
  ],
  ['a broken part header', '--edge\r\nContent-Disposition\r\n\r\nhello\r\n--edge--\r\n', 400, /Content-Disposition/],
  ['no part header', '--edge\r\n\r\nhello\r\n--edge--\r\n', 400, /Content-Disposition/],
  ['an endless part header', `--edge\r\nX: ${'x'.repeat(20_000)}`, 400, /too long/],
  [
    'a file as a plain field',
    '--edge\r\nContent-Disposition: form-data; name="file"\r\n\r\nhello\r\n--edge--\r\n',
    400,
    /no file/,
  ],
  ['no part at all', '--edge--\r\n', 400, /no file/],
  ['two empty file inputs', `${emptyInput}${emptyInput}--edge--\r\n`, 400, /no file/],
  ['junk after a boundary', '--edgejunk\r\n\r\n', 400, /broken boundary/],
  [
    'a file in an unknown transfer encoding',
    `${encodedPart('uuencode', 'x')}--edge--\r\n`,
    415,
    /Content-Transfer-Encoding/,
  ],
  ['lines that end in LF alone', `${filePart('a.txt', 'x')}--edge--\r\n`.replaceAll('\r', ''), 400, /CR LF/],
  [
    'LF alone before a later boundary',
    `${filePart('a.txt', 'x').trimEnd()}\n${filePart('', '')}--edge--`,
    400,
    /CR LF/,
  ],
  ['base64 that is none', `${encodedPart('base64', 'a,b')}--edge--\r\n`, 400, /base64/],
  ['two files', `${filePart('a.txt', 'a').repeat(2)}--edge--\r\n`, 400, /one file/],
  [
    'many parts',
    '--edge\r\nContent-Disposition: form-data; name="x"\r\n\r\na\r\n'.repeat(40) + '--edge--\r\n',
    400,
    /too many parts/,
  ],
] as [string, string, number, RegExp, string?][])(
  'a form with %s is refused and stores nothing',
  async (_what, body, status, error, type) => {
    const account = await signUpAndIn(server);
    const before = await storedNames(server);
    expect(await post(account, body, type)).toEqual({
      status,
      json: { success: false, error: expect.stringMatching(error) },
    });
    expect(await storedNames(server)).toEqual(before);
    expect(await sendForm(server, account, formWith('still fine'))).toMatchObject({ status: 200 });
  },
);

test.each([
  ['in an unknown transfer encoding', encodedPart('uuencode', 'x'), 415],
  ['that is no base64', encodedPart('base64', 'a,b'), 400],
  ['that is no quoted-printable', encodedPart('quoted-printable', '50 = 50'), 400],
  ['with lines that end in LF alone', filePart('a.txt', 'hello').replaceAll('\r', ''), 400],
])('a file %s is refused before the rest of the form arrives', async (_, start, status) => {
  const { apiKey } = await signUpAndIn(server);
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`POST /api/v3/upload HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-API-Key: ${apiKey}\r\n`);
  socket.write(`Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: 50000000\r\n\r\n${start}`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test.each([
  ['PUT', '/api/v3/upload', 405],
  ['PUT', '/api/v3/upload.php', 405],
  ['POST', '/api/v3/upload/', 404],
])('%s %s says how to send a file', async (method, path, status) => {
  const answer = await fetch(server.url + path, { method, body: 'hello' });
  expect([answer.status, await answer.json()]).toEqual([
    status,
    { success: false, error: expect.stringMatching(/curl .* -F file=@FILE/) },
  ]);
});

test.each([
  ['../../etc/passwd.txt', 'passwd.txt'],
  ['a\u202Etxt.gpj.txt', 'atxt.gpj.txt'],
  [`${'é'.repeat(5000)}.txt`, `${'é'.repeat(113)}.txt`],
])('the name %.30j is stored as %.30j and returned in the header', async (sent, kept) => {
  const account = await signUpAndIn(server);
  const stored = await uploadFile(server, account, 'x', sent);
  expect((await account.byKey.getFileList({ query: {} })).files[0]?.original_name).toBe(kept);
  const header = (await fetch(fileUrl(server, stored))).headers.get('Content-Disposition') ?? '';
  expect(parse(header)).toMatchObject({ type: 'inline', parameters: { filename: kept } });
});

test.each([
  ['a file after an empty file input', emptyInput + filePart('a.txt', 'hello'), 'a.txt', 5],
  ['a file before an empty file input', filePart('a.txt', 'hello') + emptyInput, 'a.txt', 5],
  ['an empty file that has a name', filePart('a.txt', ''), 'a.txt', 0],
  ['bytes without a name', filePart('', 'hello'), 'file', 5],
  ['a file in base64', encodedPart('base64', 'aGVs\r\nbG8='), 'a.txt', 5],
  ['a file in quoted-printable', encodedPart('quoted-printable', 'h=65=\r\nllo'), 'a.txt', 5],
  ['a file in 8 bits', encodedPart('8BIT', 'hello'), 'a.txt', 5],
  ['a file with a folded header', filePart('a.txt', 'hello').replace('; filename', ';\r\n filename'), 'a.txt', 5],
  ['a file named in encoded words', filePart('=?utf-8?B?S8O8bmRpZ3VuZy56aXA=?=', 'hello'), 'Kündigung.zip', 5],
  ['a pipe', filePart('-', 'hello'), 'stdin', 5],
  ['a file whose name has a quote after a backslash', filePart('a\\"q\\".txt', 'hello'), 'a"q".txt', 5],
])('%s is stored as the only file', async (_what, parts, name, size) => {
  const account = await signUpAndIn(server, { plan: 'power' });
  expect(await post(account, `${parts}--edge--\r\n`)).toMatchObject({ status: 200 });
  const { files } = await account.byKey.getFileList({ query: {} });
  expect(files).toMatchObject([{ original_name: name, size, sha256: sha256('hello'.slice(0, size)) }]);
});

test.each([
  ['without a key', 401, '', 'a.zip'],
  ['with a refused extension', 415, 'key', 'a.exe'],
])('a client gets the refusal of a large body %s, twice in a row', async (_what, status, key, name) => {
  const account = await signUpAndIn(server);
  const headers: Record<string, string> = key === '' ? {} : { 'X-API-Key': account.apiKey };
  for (let round = 0; round < 2; round += 1) {
    const body = formWith(Buffer.alloc(5_000_000), name);
    const answer = await fetch(`${server.url}/api/v3/upload`, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ success: false });
  }
});

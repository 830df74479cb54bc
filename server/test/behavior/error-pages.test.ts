/** Links that lead to no file, as browsers and as programs get them. */
import { expect, test } from 'vitest';
import { wantsPage } from '../../src/delivery/error-page.ts';
import { findBytes } from '../../src/moderation/find-file.ts';
import { quarantineByOperator } from '../../src/moderation/quarantine.ts';
import { takeDown } from '../../src/moderation/take-down.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { openLine } from '../harness/raw-http.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { uploadFile } from '../harness/uploads.ts';

const browsers = {
  Chromium:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  Firefox: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  Lynx: 'text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01',
};

const lists: readonly (readonly [accept: string | undefined, wanted: boolean])[] = [
  [browsers.Chromium, true],
  [browsers.Firefox, true],
  [browsers.Lynx, true],
  ['text/html', true],
  ['Text/HTML;q=0.1', true],
  [undefined, false],
  ['', false],
  // curl, wget, aria2, Python, fetch and players.
  ['*/*', false],
  ['text/*', false],
  ['text/plain', false],
  ['text/plain, text/html;q=0.9', false],
  ['text/html;q=0', false],
  ['application/xhtml+xml', false],
  // Images in Chromium and Firefox.
  ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', false],
  ['image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', false],
  // Java, for whatever it downloads.
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', false],
  ['text/html, image/gif, image/jpeg, */*; q=0.2', false],
];

test.each(lists)('Accept: %s wants a page: %s', (accept, wanted) => {
  expect(wantsPage(accept)).toBe(wanted);
});

async function open(server: TestServer, path: string, accept = browsers.Chromium, method = 'GET', host?: string) {
  using line = openLine(server);
  return await line.send(method, path, { Accept: accept, ...(host !== undefined && { Host: host }) });
}

const headingOf = (html: string) => /<h1>(.*)<\/h1>/.exec(html)?.[1];

test('a browser gets a page for each link that leads to no file, and a program gets a line with the same status', async () => {
  await using server = await startServer();
  const { context } = server;
  const account = await signUpAndIn(server);
  const [deleted, quarantined, takenDown, pending, damaged] = await Promise.all(
    ['deleted', 'quarantined', 'taken down', 'pending', 'damaged'].map((text) => uploadFile(server, account, text)),
  );
  await account.byKey.deleteFiles({ body: { files: [deleted ?? ''] } });
  const ada = { operator: 'ada', action: 'test' };
  await quarantineByOperator(context, ada, await findBytes(context, quarantined ?? ''), 'Eicar');
  await takeDown(context, ada, await findBytes(context, takenDown ?? ''), 'C-1');
  await context.db
    .updateTable('files')
    .set({ pending_scan: 1 })
    .where('name', '=', pending ?? '')
    .execute();
  const damagedFile = context.db
    .selectFrom('files')
    .select('blob_id')
    .where('name', '=', damaged ?? '');
  await context.blobs.remove((await damagedFile.executeTakeFirstOrThrow()).blob_id);
  const cases = [
    ['nosuchfile', 404, 'This file doesn’t exist or was deleted.', 'There is no such file.\n'],
    ['nosuchfile.zip.sha256', 404, 'This file doesn’t exist or was deleted.', 'There is no such file.\n'],
    ['broken%', 404, 'This file doesn’t exist or was deleted.', 'There is no such file.\n'],
    ['%E0%A4%A', 404, 'This file doesn’t exist or was deleted.', 'There is no such file.\n'],
    [deleted, 404, 'This file doesn’t exist or was deleted.', 'There is no such file.\n'],
    [quarantined, 404, 'This file was removed because a scan found malware in it.', 'There is no such file.\n'],
    [`${takenDown}.txt`, 404, 'This file was removed after a complaint.', 'There is no such file.\n'],
    [pending, 503, 'This file is being checked for malware.', expect.stringMatching(/^This file is being checked/)],
    [damaged, 500, 'This file cannot be read right now.', expect.stringMatching(/^The file cannot be read/)],
  ] as const;
  for (const [target, status, heading, line] of cases) {
    const page = await open(server, `/file/${target}`);
    expect(page).toMatchObject({ status, headers: { 'content-type': 'text/html; charset=utf-8', vary: 'Accept' } });
    expect(headingOf(page.text)).toBe(heading);
    const { text: body, headers } = await open(server, `/file/${target}`, browsers.Chromium, 'HEAD');
    expect([body, headers['content-type'], headers['content-length']]).toEqual([
      '',
      page.headers['content-type'],
      page.headers['content-length'],
    ]);
    const program = await open(server, `/file/${target}`, '*/*');
    expect(program).toMatchObject({
      status,
      text: line,
      headers: { 'content-type': 'text/plain; charset=utf-8', vary: 'Accept' },
    });
    for (const header of ['cache-control', 'retry-after']) expect(page.headers[header]).toBe(program.headers[header]);
  }
});

test('the page of a file that waits reloads itself when a program would try again, and no other page does', async () => {
  await using server = await startServer();
  const name = await uploadFile(server, await signUpAndIn(server));
  await server.context.db.updateTable('files').set({ pending_scan: 1 }).execute();
  const { headers } = await open(server, `/file/${name}`);
  expect(headers['refresh']).toBe(headers['retry-after']);
  expect((await open(server, '/file/nosuchfile')).headers['refresh']).toBeUndefined();
  expect((await open(server, `/file/${name}`, '*/*')).headers['refresh']).toBeUndefined();
  await server.context.db.updateTable('files').set({ pending_scan: 0 }).execute();
  const served = await open(server, `/file/${name}`);
  expect([served.text, served.headers['refresh'], served.headers['vary']]).toEqual(['hello', undefined, undefined]);
});

test('a browser gets a page for what cannot be answered, and a program what it always gets', async () => {
  await using server = await startServer({ PUBLIC_URL: 'https://kelp.example' });
  const name = await uploadFile(server, await signUpAndIn(server));
  const file = `/file/${name}`;
  const cases = [
    ['GET', '/faqs', { Host: 'other.example' }, 421, 'There is no site at this address.', 'application/json'],
    ['POST', file, {}, 405, 'This address cannot be used like that.', 'text/plain'],
    ['POST', '/faqs', {}, 405, 'This address cannot be used like that.', 'application/json'],
    ['GET', file, { 'If-Match': '"other"' }, 412, 'The file is not the version that was asked for.', 'text/plain'],
    ['GET', file, { Range: 'bytes=5000-' }, 416, 'The file does not have that part.', 'text/plain'],
    ['GET', '/%E0%A4%A', {}, 400, 'This address cannot be read.', 'application/json'],
    ['GET', '/speed-test/250MB.bin', {}, 400, undefined, 'text/plain'],
    ['GET', '/api/v3/nothing', {}, 404, undefined, 'application/json'],
  ] as const;
  for (const [method, path, more, status, heading, type] of cases) {
    const ask = async (accept: string) => {
      using line = openLine(server);
      return await line.send(method, path, { Host: 'kelp.example', Accept: accept, ...more });
    };
    const [page, program] = [await ask(browsers.Chromium), await ask('*/*')];
    expect([page.status, program.status], path).toEqual([status, status]);
    expect(headingOf(page.text), path).toBe(heading);
    expect(page.headers['content-type'], path).toBe(`${heading === undefined ? type : 'text/html'}; charset=utf-8`);
    expect(program.headers['content-type'], path).toBe(`${type}; charset=utf-8`);
    for (const header of ['allow', 'content-range', 'cache-control'])
      expect(page.headers[header], `${header} of ${path}`).toBe(program.headers[header]);
    // A scan of addresses must not show which site answers here.
    if (status === 421) expect(page.text).not.toMatch(/kelp|Holdfast/i);
  }
});

test('on a host of files the page needs nothing but itself, and leads to the app', async () => {
  await using server = await startServer({
    PUBLIC_URL: 'https://app.example',
    FILE_ORIGINS: 'https://files.example',
    SITE_NAME: 'Kelp & <Co>',
  });
  const [link, start] = await Promise.all(
    ['/file/nosuchfile', '/'].map((path) => open(server, path, browsers.Firefox, 'GET', 'files.example')),
  );
  expect(headingOf(start?.text ?? '')).toBe('There’s nothing here.');
  const policy = String(link?.headers['content-security-policy']);
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]+='; img-src data:; base-uri 'none'; form-action 'none'$/,
  );
  const html = link?.text ?? '';
  expect(html).toContain('Kelp &amp; &lt;Co&gt;');
  expect(html).not.toMatch(/<script|<form|http-equiv| on\w+=/i);
  expect(
    [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, to = '']) => to.replace(/^(data:[^,]*),.*/, '$1')),
  ).toEqual(['data:image/svg+xml', 'https://app.example/', 'https://app.example/', 'https://app.example/faqs#report']);
});

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signUpAndIn } from '@holdfast/server/test/harness/accounts.ts';
import { blockOf } from '@holdfast/server/test/harness/documented-blocks.ts';
import { startServer } from '@holdfast/server/test/harness/start-server.ts';
import { fileUrl, sha256, storedNameOf, uploadFile } from '@holdfast/server/test/harness/uploads.ts';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, test } from 'vitest';

const own = fileURLToPath(new URL('../..', import.meta.url));
const program = join(own, 'dist/holdfast-mcp.js');
/** `MCP_NODE` is another Node for the server. */
const { MCP_NODE: node = process.execPath } = process.env;

beforeAll(() => void execFileSync(process.execPath, ['build.mjs'], { cwd: own }));

interface Settings {
  readonly mcpServers: { readonly holdfast: { readonly command: string; readonly args: readonly string[] } };
}

interface Reply {
  readonly link: string;
  readonly files: readonly { readonly link: string; readonly original_name: string }[];
}

/** A client as an assistant has it, with a home in which nobody has signed in. */
async function openClient(env: Readonly<Record<string, string>>, command = [node, program]) {
  await using opened = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), 'holdfast-mcp-test-'));
  opened.defer(() => rm(home, { recursive: true }));
  const client = new Client({ name: 'test', version: '1.0.0' });
  opened.defer(() => client.close());
  // The client passes over lines that are not of the protocol.
  const args = ['-c', '"$@" | tee stdout', 'sh', ...command];
  const transport = new StdioClientTransport({ command: 'sh', args, cwd: home, env: { HOME: home, ...env } });
  await client.connect(transport);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: input });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { text, isError, reply: (isError ? {} : JSON.parse(text)) as Reply };
  };
  const stack = opened.move();
  return { home, client, call, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('an assistant uploads, lists, links and deletes files', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  await using assistant = await openClient({ HOLDFAST_URL: server.url, HOLDFAST_KEY: account.apiKey });
  const { call, client, home } = assistant;
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['upload', 'list', 'link', 'delete']);
  const path = join(home, 'a.txt');
  await writeFile(path, 'from an assistant');

  const { reply: uploaded } = await call('upload', { path, name: 'Year report.txt' });
  expect(uploaded).toMatchObject({ sha256: sha256('from an assistant'), size: 17 });
  const atServer = fileUrl(server, storedNameOf(uploaded.link));
  await uploadFile(server, account, 'x', 'twin.txt');
  await uploadFile(server, account, 'y', 'twin.txt');

  const { reply: listed } = await call('list', { limit: 2 });
  expect(listed).toMatchObject({ total_files: 3, next_page: 2 });
  expect(listed.files.map(({ original_name }) => original_name)).toEqual(['twin.txt', 'twin.txt']);
  const { reply: lastPage } = await call('list', { limit: 2, page: 2 });
  expect(lastPage.files).toEqual([expect.objectContaining({ link: uploaded.link })]);
  expect(lastPage).not.toHaveProperty('next_page');
  expect((await call('list', { search: 'report' })).reply.files).toEqual(lastPage.files);
  for (const name of ['Year report.txt', uploaded.link, storedNameOf(uploaded.link)])
    expect((await call('link', { name })).reply.files).toEqual(lastPage.files);
  expect((await call('link', { name: 'twin.txt' })).reply.files).toEqual(listed.files);
  expect(await (await fetch(atServer)).text()).toBe('from an assistant');

  const ambiguous = await call('delete', { name: 'twin.txt' });
  expect(ambiguous).toMatchObject({ isError: true, text: expect.stringContaining(listed.files[1]?.link ?? '') });
  expect((await call('list', {})).reply).toMatchObject({ total_files: 3 });
  const { reply: deleted } = await call('delete', { name: uploaded.link });
  expect(deleted).toMatchObject({ deleted: { link: uploaded.link, original_name: 'Year report.txt' } });
  expect((await fetch(atServer)).status).toBe(404);
  const lines = (await readFile(join(home, 'stdout'), 'utf8')).trimEnd().split('\n');
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

test('the settings that the docs have for a client start the packed server', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-mcp-package-'));
  stack.defer(() => rm(folder, { recursive: true }));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: own });
  const text = blockOf('docs/recipes.md', 'Assistants', 'json').replace('/path/to/', `${folder}/`);
  const { command, args } = (JSON.parse(text) as Settings).mcpServers.holdfast;
  const server = stack.use(await startServer());
  const account = await signUpAndIn(server);
  const env = { HOLDFAST_URL: server.url, HOLDFAST_KEY: account.apiKey, npm_config_offline: 'true' };
  const assistant = stack.use(await openClient(env, [command, ...args]));
  expect((await assistant.call('list', {})).reply).toMatchObject({ total_files: 0 });
});

test('a refusal is an error of the tool that says what to do', async () => {
  await using server = await startServer();
  const account = await signUpAndIn(server);
  await using assistant = await openClient({ HOLDFAST_URL: server.url, HOLDFAST_KEY: account.apiKey });
  const refused = join(assistant.home, 'a.exe');
  await writeFile(refused, 'x');
  const errorOf = async ({ call }: typeof assistant, name: string, input: Record<string, unknown>) => {
    const { isError, text } = await call(name, input);
    expect(isError).toBe(true);
    return text;
  };
  expect(await errorOf(assistant, 'upload', { path: '/no/such/file' })).toMatch(/^ENOENT.*Give the absolute path/);
  expect(await errorOf(assistant, 'upload', { path: refused })).toBe('The Free plan does not accept .exe files.');
  expect(await errorOf(assistant, 'delete', { name: 'abcdefgh' })).toMatch(/^No file is named abcdefgh/);
  expect(await errorOf(assistant, 'list', { page: 0 })).toMatch(/page/);
  await using stranger = await openClient({});
  expect(await errorOf(stranger, 'list', {})).toBe('Sign in first: holdfast-cli login URL.');
  await using wrong = await openClient({ HOLDFAST_URL: server.url, HOLDFAST_KEY: 'hf_wrong' });
  expect(await errorOf(wrong, 'list', {})).toMatch(/^Invalid API key\. Enter a new key: holdfast-cli login/);
});

test('the script needs no other package and has the licenses of those inside', async () => {
  expect(await readFile(program, 'utf8')).not.toMatch(/^import .* from ['"](?!node:)/m);
  expect(await readFile(join(own, 'dist/THIRD-PARTY-LICENSES'), 'utf8')).toMatch(/@modelcontextprotocol\/server/);
});

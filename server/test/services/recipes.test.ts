/** The recipes of docs/recipes.md: proxies with their settings, and programs that upload. */
import { tusPath } from '@holdfast/contract/src/resumable.ts';
import { freePorts } from '@holdfast/test-support/free-ports.ts';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { blockOf, blocksOf } from '../harness/documented-blocks.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { download, fileUrl, sha256, storedNameOf, uploadFile } from '../harness/uploads.ts';
import { ask } from './ask.ts';
import { fileHost, type ProxyInFront } from './proxy-in-front.ts';
import { nginxRecipe } from './nginx-configuration.ts';
import { startRegistry } from './package-registry.ts';
import { documentedCaddyfile, startCaddy } from './start-caddy.ts';
import { startNginx } from './start-nginx.ts';
import { describeUploads, type Proxied } from './uploads-suite.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const recipe = (heading: string, language: string) => blockOf('docs/recipes.md', heading, language);
const settingsOf = (heading: string) =>
  Object.fromEntries(
    recipe(heading, 'dotenv')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  ) as Readonly<Record<string, string>>;

/** The address that a server logs for a call through a proxy. */
async function clientOf(server: TestServer, proxy: ProxyInFront, from: string, claimed: string): Promise<unknown> {
  const before = server.log.length;
  const headers = { 'X-API-Key': `hf_${'a'.repeat(46)}`, 'X-Forwarded-For': claimed };
  await ask(proxy, '/api/v3/rest/get-file-list', { headers, from });
  const events = server.log.slice(before).map((line) => JSON.parse(line) as { client?: unknown });
  return events.find(({ client }) => client !== undefined)?.client;
}

describe('the nginx that serves other sites', () => {
  async function open(): Promise<Proxied> {
    const opened = new AsyncDisposableStack();
    const server = opened.use(await startServer(settingsOf('Proxies')));
    const proxy = opened.use(await startNginx(server, { configure: nginxRecipe }));
    return { server, proxy, [Symbol.asyncDispose]: () => opened.disposeAsync() };
  }

  describeUploads(open);

  test('downloads have their ranges, and clients their own addresses', async () => {
    await using front = await open();
    const { server, proxy } = front;
    const name = await uploadFile(server, await signUpAndIn(server));
    const part = await ask(proxy, `/file/${name}`, { host: fileHost, headers: { Range: 'bytes=1-3' } });
    expect([part.status, part.body.toString()]).toEqual([206, 'ell']);
    expect(await clientOf(server, proxy, '127.0.0.77', '203.0.113.9')).toBe('127.0.0.77');
  });
});

test.each<readonly [string, (behind: { readonly port: number; readonly dataDir: string }) => Promise<ProxyInFront>]>([
  ['nginx', startNginx],
  ['the nginx that serves other sites', (behind) => startNginx(behind, { configure: nginxRecipe })],
  ['Caddy', async (behind) => startCaddy(behind, await documentedCaddyfile())],
  ['Caddy behind Cloudflare', (behind) => startCaddy(behind, recipe('Cloudflare', 'caddyfile'))],
])('while the server is away, %s closes the connections of uploads that resume', async (_what, start) => {
  const [port = 0] = await freePorts(1);
  await using proxy = await start({ port, dataDir: tmpdir() });
  expect((await ask(proxy, '/api/v3/upload')).status).toBe(502);
  for (const path of [tusPath, `${tusPath}/q7Rt2mXa`])
    await expect(ask(proxy, path)).rejects.toThrow(/hang up|ECONNRESET/);
});

test('behind Cloudflare and Caddy the client is the visitor, and nobody else can claim to be one', async () => {
  const [network = ''] = /\d+\.\d+\.\d+\.\d+\/\d+/.exec(recipe('Cloudflare', 'caddyfile')) ?? [];
  // This address of the machine stands for a part of Cloudflare's network.
  const edge = '127.0.0.88';
  const [stranger, visitor] = ['127.0.0.77', '203.0.113.9'];
  const placed = (text = '') => text.replaceAll(network, `${edge}/32`);
  const { TRUST_PROXY } = settingsOf('Cloudflare');
  expect(TRUST_PROXY).toContain(network);
  await using server = await startServer({ ...settingsOf('Proxies'), TRUST_PROXY: placed(TRUST_PROXY) });
  await using caddy = await startCaddy(server, placed(recipe('Cloudflare', 'caddyfile')));
  await using sockets = new AsyncDisposableStack();
  // An address has two speed tests at a time.
  const start = async (from: string, claimed: string) => {
    const socket = await caddy.connect(fileHost, { localAddress: from });
    sockets.defer(() => void socket.destroy());
    const lines = ['GET /speed-test/250MB.bin?tier=free HTTP/1.1', `Host: ${fileHost}`, `X-Forwarded-For: ${claimed}`];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    return Number(head.toString('latin1').split(' ')[1]);
  };
  expect([await start(edge, visitor), await start(edge, visitor), await start(edge, visitor)]).toEqual([200, 200, 429]);
  expect(await start(edge, '203.0.113.10')).toBe(200);
  const claims = ['203.0.113.11', '203.0.113.12', '203.0.113.13'];
  const statuses = [];
  for (const claimed of claims) statuses.push(await start(stranger, claimed));
  expect(statuses).toEqual([200, 200, 429]);
  // The name of the app does not lead through Cloudflare.
  expect(await clientOf(server, caddy, stranger, visitor)).toBe(stranger);
});

test('Cloudflare has the same networks in Caddy and in Holdfast', () => {
  const [, networks = ''] = /trusted_proxies (.*)/.exec(recipe('Cloudflare', 'caddyfile')) ?? [];
  expect(settingsOf('Cloudflare')['TRUST_PROXY']?.split(',')).toEqual(['127.0.0.1', ...networks.split(' ')]);
});

describe('programs that upload', () => {
  const opened = new AsyncDisposableStack();
  let server: TestServer;
  let account: SignedIn;
  let home: string;
  let registry: string;

  beforeAll(async () => {
    server = opened.use(await startServer());
    account = await signUpAndIn(server, { plan: 'power' });
    home = await mkdtemp(join(tmpdir(), 'holdfast-recipes-'));
    opened.defer(() => rm(home, { recursive: true, force: true }));
    const commander = dirname(createRequire(join(root, 'user-cli/package.json')).resolve('commander'));
    registry = opened.use(await startRegistry(commander, home)).url;
    await run('npm', ['pack', '--silent', '--workspace=@holdfast/cli', `--pack-destination=${home}`], { cwd: root });
    await runText('sh', recipe('Your key', 'sh'), { HOLDFAST_KEY: account.apiKey });
    await writeFile(join(home, 'pack.zip'), 'hello');
  });
  afterAll(() => opened.disposeAsync());

  /** Runs a recipe as a script with the address of this server; its program stands in front of the others. */
  async function runText(shell: 'sh' | 'bash', text: string, env: Readonly<Record<string, string>>, ...args: string[]) {
    const path = join(home, 'script');
    await writeFile(path, text.replaceAll('https://holdfast.example', server.url));
    const programs = [join(home, 'bin'), join(home, '.local/bin'), process.env['PATH']].join(delimiter);
    const npm = { npm_config_prefix: join(home, '.local'), npm_config_registry: registry };
    const { stdout } = await run(shell, ['-e', path, ...args], {
      cwd: home,
      env: { PATH: programs, HOME: home, ...npm, ...env },
    });
    return stdout;
  }

  /** Puts a program in front of all others of its name. */
  async function standIn(name: string, script: string): Promise<void> {
    await mkdir(join(home, 'bin'), { recursive: true });
    await writeFile(join(home, 'bin', name), `#!/bin/sh\n${script}\n`);
    await chmod(join(home, 'bin', name), 0o755);
  }

  const contentOf = async (link: string) => (await fetch(fileUrl(server, storedNameOf(link)))).text();
  const newestName = async () => (await account.byKey.getFileList({ query: {} })).files[0]?.original_name;

  test('only their owner can read the file with the key', async () => {
    expect((await stat(join(home, '.config/holdfast.header'))).mode & 0o777).toBe(0o600);
  });

  test('Flameshot: the screenshot is uploaded and its link is copied', async () => {
    await standIn('flameshot', 'test "$*" = "gui --raw" && printf picture');
    await standIn('xclip', 'test "$*" = "-selection clipboard" && cat > "$HOME/clipboard"');
    await runText('sh', recipe('Flameshot', 'sh'), {});
    const link = await readFile(join(home, 'clipboard'), 'utf8');
    expect(link).toMatch(/^http:\S+$/);
    expect(await contentOf(link)).toBe('picture');
    expect(await newestName()).toMatch(/^screenshot-\d{4}-\d\d-\d\d-\d{6}\.png$/);
  });

  test('Spectacle: the screenshot is uploaded and its link is copied, and a canceled one is not', async () => {
    const saves = 'test "$1 $2 $3 $4" = "--background --nonotify --region --output" && printf "$PICTURE" > "$5"';
    await standIn('spectacle', saves);
    await standIn('wl-copy', 'cat > "$HOME/clipboard"');
    const script = recipe('Spectacle', 'sh');
    await runText('sh', script, { PICTURE: 'picture' });
    const link = await readFile(join(home, 'clipboard'), 'utf8');
    expect(await contentOf(link)).toBe('picture');
    expect(await newestName()).toMatch(/^screenshot-[-\d]{17}\.png$/);
    const before = await account.byKey.getAccountInfo();
    await expect(runText('sh', script, { PICTURE: '' })).rejects.toThrow();
    expect((await account.byKey.getAccountInfo()).account.usage).toEqual(before.account.usage);
  });

  test('ksnip: the script prints the link of the picture, or nothing if the upload is refused', async () => {
    await writeFile(join(home, 'ksnip-tmp.png'), 'picture');
    const script = recipe('ksnip', 'sh');
    const printed = await runText('sh', script, {}, join(home, 'ksnip-tmp.png'));
    expect(printed).toMatch(/^http:\S+\n$/);
    expect(await contentOf(printed.trim())).toBe('picture');
    const refused = runText('sh', script, {}, join(home, 'no-such-file.png'));
    await expect(refused).rejects.toMatchObject({ stdout: '' });
  });

  let commandLine: Promise<string> | undefined;
  /** Installs the command line, signs in and uploads. Returns what is printed. */
  const runCommandLine = async () => {
    await writeFile(join(home, 'key'), account.apiKey);
    await mkdir(join(home, 'screenshots'));
    await writeFile(join(home, 'screenshots/a.png'), 'picture');
    await mkdir(join(home, 'build/libs'), { recursive: true });
    await writeFile(join(home, 'build/libs/a.jar'), 'jar');
    return runText('sh', `exec < key\n${recipe('Command line', 'sh')}`, {});
  };
  const signedIn = () => (commandLine ??= runCommandLine());

  test('Command line: it is installed, signed in, and uploads files, a folder and a pattern', async () => {
    const links = (await signedIn()).split('\n').filter((line) => line.startsWith('http'));
    expect((await Promise.all(links.map(contentOf))).toSorted()).toEqual(['hello', 'jar', 'picture']);
  });

  test.each<readonly [string, string, string, (text: string) => string, string, string]>([
    [
      'Gradle',
      'groovy',
      'build.gradle',
      (text) => `apply plugin: 'java'\n${text}`,
      'gradle --offline --no-daemon --gradle-user-home=.gradle upload',
      'build/libs/reef.jar',
    ],
    ['Maven', 'xml', 'pom.xml', pomWith, 'mvn --batch-mode --settings=settings.xml deploy', 'target/reef-1.0.jar'],
  ])('%s: what was built is uploaded', async (program, language, file, fileWith, command, built) => {
    await signedIn();
    const folder = join(home, program, 'reef');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, file), fileWith(recipe('Gradle and Maven', language)));
    await writeFile(join(folder, 'settings.xml'), settingsOfMaven(folder));
    const [link = ''] = /http:\/\/\S+\/file\/\S+/.exec(await runText('sh', `cd ${folder}\n${command}`, {})) ?? [];
    expect(await download(server, storedNameOf(link))).toBe(sha256(await readFile(join(folder, built))));
  });

  test('GitHub Actions: the action uploads the files of the step and hands on their links and digests', async () => {
    const action = await readFile(join(root, 'packaging/github-action/action.yml'), 'utf8');
    const inputs: Readonly<Record<string, string>> = {
      url: server.url,
      key: account.apiKey,
      files: 'pack.zip\n\nbuild/*.jar\n',
    };
    const step = recipe('GitHub Actions', 'yaml');
    expect([...step.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name)).toEqual(Object.keys(inputs));
    const environment = Object.fromEntries(
      [...action.matchAll(/^ {8}(\w+): \$\{\{ inputs\.(\w+) \}\}$/gm)].map(([, name, input = '']) => [
        name,
        inputs[input] ?? '',
      ]),
    );
    await mkdir(join(home, 'build'), { recursive: true });
    await writeFile(join(home, 'build/a b.jar'), 'jar');
    const [, indented = ''] = /^ {6}run: \|\n((?: {8}.*\n)+)/m.exec(action) ?? [];
    await runText('bash', `set -o pipefail\n${indented.replaceAll(/^ {8}/gm, '')}`, {
      ...environment,
      GITHUB_ACTION_PATH: home,
      GITHUB_OUTPUT: join(home, 'output'),
    });
    const [, links = '', digests] =
      /^url<<HOLDFAST\n(.*)\nHOLDFAST\nsha256<<HOLDFAST\n(.*)\nHOLDFAST\n$/s.exec(
        await readFile(join(home, 'output'), 'utf8'),
      ) ?? [];
    const contents = await Promise.all(links.split('\n').map(contentOf));
    expect(new Set(contents)).toEqual(new Set(['hello', 'jar']));
    expect(digests).toBe(contents.map((content) => sha256(content)).join('\n'));
  });

  test('Minecraft: a new pack is entered in server.properties with its SHA-1', async () => {
    const properties = join(home, 'server.properties');
    const example = recipe('Minecraft resource packs', 'properties');
    await writeFile(properties, `level-name=world\n${example}`);
    await runText('sh', recipe('Minecraft resource packs', 'sh'), {}, 'pack.zip');
    const written = await readFile(properties, 'utf8');
    const [, link = ''] = /^resource-pack=(.*)$/m.exec(written) ?? [];
    expect(await contentOf(link)).toBe('hello');
    // The SHA-1 of 'hello', which the example on the page has, too.
    const sha1 = /^resource-pack-sha1=aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d$/m;
    expect(example).toMatch(sha1);
    expect(written).toMatch(sha1);
    expect(written).toBe(`level-name=world\n${example.replace(/(?<=^resource-pack=).*/m, link)}`);
  });

  test('shellcheck has no complaint about any script of the page', async () => {
    const scripts = blocksOf('docs/recipes.md').filter(({ language }) => language === 'sh');
    expect(scripts.length).toBeGreaterThan(3);
    for (const { text, heading } of scripts) {
      const path = join(home, 'checked.sh');
      await writeFile(path, text);
      await run('shellcheck', ['--shell=sh', path]).catch((error: { stdout: string }) => {
        throw new Error(`${heading}: ${error.stdout}`);
      });
    }
  });
});

/** A project that no repository takes. */
const pomWith = (plugin: string) => `
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId><artifactId>reef</artifactId><version>1.0</version>
  <properties><maven.deploy.skip>true</maven.deploy.skip></properties>
  <build><plugins>${plugin}</plugins></build>
</project>`;

/** The plugins come from Debian's packages. */
const settingsOfMaven = (folder: string) => `
<settings>
  <localRepository>${folder}/repository</localRepository>
  <mirrors><mirror><id>debian</id><mirrorOf>*</mirrorOf><url>file:///usr/share/maven-repo</url></mirror></mirrors>
</settings>`;

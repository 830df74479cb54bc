/** The import ladders and the other rules of ARCHITECTURE.md that can be read off the source, as one checker. */
import { dirname, join } from 'node:path/posix';

export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Lowest first. A file imports from its own rung and from lower ones. */
const serverLadder = [
  'lib',
  'config',
  'engines',
  'context',
  'http',
  'post',
  'accounts',
  'delivery',
  'files',
  'billing',
  'maintenance',
  'app',
  'main',
];
const webLadder = ['lib', 'ui', 'api', 'layouts', 'pages', 'routes', 'main'];

/** What stands on a rung without having its name. */
const besideOf: Readonly<Record<string, string>> = {
  // Both read the configuration and nothing else, and the context is made from them.
  'server/src/origins.ts': 'config',
  'server/src/secret-key.ts': 'config',
};

/** Every broken rule as a sentence that begins with the file. Comments may say what code may not. */
export function brokenRules(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => [
    ...(isTest(source.path) ? [] : importRules(source)),
    ...wordRules(source),
    ...nameRules(source.path),
  ]);
}

const isTest = (path: string) => /\.test\.tsx?$|\/conformance\.ts$|^server\/test\//.test(path);

function importsOf({ text }: Source): string[] {
  const statements = text.matchAll(
    /^\s*(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gms,
  );
  return [...statements].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
}

function importRules(source: Source): string[] {
  const { path } = source;
  return importsOf(source).flatMap((specifier) => {
    if (specifier === 'fastify' || specifier.startsWith('@fastify/'))
      return mayNameTheFramework(path) ? [] : [`${path}: the web framework belongs to http/, app.ts and routes.ts`];
    if (path.startsWith('contract/'))
      return /^(\.\/|zod(\/|$))/.test(specifier)
        ? []
        : [`${path}: the contract imports zod and itself, not ${specifier}`];
    // The command line stands above the server, and nothing knows that it is there.
    if (/^@holdfast\/cli\b|(^|\/)cli\/src\//.test(specifier) && !path.startsWith('cli/'))
      return [`${path}: nothing imports the command line`];
    if (path.startsWith('cli/src/')) return engineRule(path, specifier.replace('@holdfast/server/', 'server/'));
    // Style sheets are not modules: they have no rung.
    if (!specifier.startsWith('.') || specifier.endsWith('.css')) return [];
    const target = join(dirname(path), specifier);
    if (path.startsWith('server/src/')) return [...ladderRule(path, target, serverLadder), ...engineRule(path, target)];
    if (path.startsWith('web/src/')) return [...ladderRule(path, target, webLadder), ...pageRule(path, target)];
    return [];
  });
}

const mayNameTheFramework = (path: string) => /^server\/src\/(http\/.+|app\.ts|[a-z]+\/routes\.ts)$/.test(path);

function ladderRule(path: string, target: string, ladder: readonly string[]): string[] {
  const [from, to] = [rungOf(path), rungOf(target)];
  const [fromHeight, toHeight] = [ladder.indexOf(from), ladder.indexOf(to)];
  if (fromHeight === -1) return [`${path}: '${from}' is not on the ladder`];
  if (toHeight === -1) return [`${path}: it imports ${target}, which is not on the ladder`];
  return toHeight > fromHeight ? [`${path}: '${from}' may not import from '${to}', which stands above it`] : [];
}

/** `server/src/files/list.ts` → files; `server/src/app.ts` → app. */
function rungOf(path: string): string {
  const [, , rung = ''] = path.split('/');
  return path.startsWith('server/src/') || path.startsWith('web/src/')
    ? (besideOf[path] ?? rung.replace(/\.tsx?$/, ''))
    : path;
}

/** Concrete engines are named in `context.ts` alone; the port of an engine is the file named after its folder. */
function engineRule(path: string, target: string): string[] {
  const [, folder, file] = /^server\/src\/engines\/([^/]+)\/(.+)\.ts$/.exec(target) ?? [];
  if (folder === undefined || file === undefined) return [];
  const everyonesFiles = [folder, 'schema', 'blob-id', 'lock-rows', 'skip-locked', 'service-facts', 'find-damage'];
  const inside = path.startsWith('server/src/engines/');
  return inside || path === 'server/src/context.ts' || everyonesFiles.includes(file)
    ? []
    : [`${path}: only context.ts names the engine ${folder}/${file}`];
}

function pageRule(path: string, target: string): string[] {
  const [from, to] = [pageOf(path), pageOf(target)];
  return from !== null && to !== null && from !== to && !from.startsWith(`${to}/`)
    ? [`${path}: a page never imports another page's folder (${to})`]
    : [];
}

const pageOf = (path: string) => (path.startsWith('web/src/pages/') ? dirname(path) : null);

function wordRules(source: Source): string[] {
  const { path } = source;
  const broken: string[] = [];
  for (const line of source.text.split('\n')) {
    if (/^\s*(\/\/|\/?\*)/.test(line)) continue;
    if (/\bexport\s*\*/.test(line)) broken.push(`${path}: no barrels: export * hides where a name comes from`);
    if (/\bexport\s+default\b/.test(line)) broken.push(`${path}: no default exports`);
    if (/\bvi\.(mock|doMock|stubGlobal)\b/.test(line)) broken.push(`${path}: no module mocks`);
    if (isTest(path)) continue;
    if (
      /^(server|cli)\/src\//.test(path) &&
      path !== 'server/src/config.ts' &&
      /\bprocess\.(env|loadEnvFile)\b/.test(line)
    )
      broken.push(`${path}: only config.ts reads the environment`);
    if (!path.startsWith('contract/') && /['"`]\/api(\/|['"`])/.test(line))
      broken.push(`${path}: the contract alone knows paths of the API`);
  }
  return broken;
}

function nameRules(path: string): string[] {
  const name = path.split('/').at(-1) ?? '';
  return /^(utils?|helpers?|common|manager|base|misc)\b|^service\.|-(utils?|helpers?|manager|service)\./i.test(name)
    ? [`${path}: a file is named after what it does to the product`]
    : [];
}

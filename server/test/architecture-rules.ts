/** Checks the import ladders and the other rules of ARCHITECTURE.md that are visible in the source. */
import { dirname, join } from 'node:path/posix';

export interface Source {
  /** Relative to the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Lowest first. A file imports from its own rung and from lower ones. */
const serverLadder = [
  'lib',
  'config',
  'engines',
  'open-engines',
  'context',
  'http',
  'site',
  'email',
  'accounts',
  'delivery',
  'files',
  'moderation',
  'uploads',
  'billing',
  'maintenance',
  'mirror',
  'operator',
  'app',
  'whole-node',
  'run-server',
  'workers',
  'main',
];
const webLadder = ['lib', 'ui', 'monitoring', 'api', 'components', 'layouts', 'pages', 'routes', 'main'];

/** The folders that a tool imports from, besides its own. */
const toolImports: Readonly<Record<string, readonly string[]>> = {
  bench: ['contract/src', 'server/src', 'test-support', 'scripts'],
  e2e: ['contract/src', 'test-support', 'scripts'],
  scripts: ['test-support', 'web/src/ui'],
  'test-support': ['contract/src', 'server/src', 'scripts'],
};

/** Returns each broken rule as a sentence that begins with the file. Comments may contain what code may not. */
export function brokenRules(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => [
    ...(isTest(source.path) && !isTool(source.path) ? [] : importRules(source)),
    ...sharingRules(source),
    ...(isTool(source.path) && !source.path.startsWith('test-support/') ? [] : wordRules(source)),
    ...nameRules(source.path),
  ]);
}

const isTool = (path: string) => (path.split('/')[0] ?? '') in toolImports;

/** Whether a file belongs to the tests, as those of `test-support` do. */
const isTest = (path: string) => /\.test\.tsx?$|\/conformance\.ts$|^(server\/test|test-support)\//.test(path);

/** Returns each circle of imports once, as the paths of its files. Imports of types count too. */
export function importCircles(sources: readonly Source[]): string[][] {
  const imports = new Map(
    sources.map((source) => [source.path, importsOf(source).map((specifier) => targetOf(source.path, specifier))]),
  );
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) return void circles.push(trail.slice(trail.indexOf(path)));
    if (done.has(path)) return;
    for (const target of imports.get(path) ?? []) if (target !== null) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}

function importsOf({ text }: Source): string[] {
  const statements = text.matchAll(
    /^\s*(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gms,
  );
  return [...statements].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
}

/** The server's tests, `e2e` and `bench` share code in `test-support` only, and product code imports none of them. */
function sharingRules(source: Source): string[] {
  const { path } = source;
  const [top = ''] = path.split('/');
  return importsOf(source).flatMap((specifier) => {
    const target = targetOf(path, specifier) ?? '';
    if (/^(e2e|bench)\//.test(target) && !target.startsWith(`${top}/`))
      return [`${path}: it imports ${target}, but shared code is in test-support`];
    return /^(test-support|server\/test)\//.test(target) && !isTest(path) && !isTool(path)
      ? [`${path}: product code never imports ${target}, which is for tests`]
      : [];
  });
}

function importRules(source: Source): string[] {
  const { path } = source;
  return importsOf(source).flatMap((specifier) => {
    if (specifier === 'fastify' || specifier.startsWith('@fastify/'))
      return mayNameTheFramework(path)
        ? []
        : [`${path}: the web framework belongs to http/, site/, app.ts and routes.ts`];
    if (path.startsWith('contract/'))
      return /^zod(\/|$)/.test(specifier) || (specifier.startsWith('.') && inContract(path, specifier))
        ? []
        : [`${path}: the contract imports zod and itself, not ${specifier}`];
    const target = targetOf(path, specifier);
    if (/^(node:)?child_process$/.test(specifier) && /^server\/src\/(?!.*\.test\.ts$)/.test(path))
      return path === 'server/src/engines/blobs/process-lock.ts' ? [] : [`${path}: the server starts no programs`];
    // The command line is above the server, and nothing else imports it.
    if (target?.startsWith('cli/') && !path.startsWith('cli/')) return [`${path}: nothing imports the command line`];
    // Style sheets are not modules, so they have no rung.
    if (target === null || target.endsWith('.css')) return [];
    if (path.startsWith('cli/src/')) return [...commandRule(path, target), ...engineRule(path, target)];
    const [top = ''] = path.split('/');
    const others = toolImports[top];
    if (others) return toolRule(path, target, [top, ...others]);
    if (!specifier.startsWith('.')) return [];
    if (path.startsWith('server/src/')) return [...ladderRule(path, target, serverLadder), ...engineRule(path, target)];
    if (path.startsWith('web/src/')) return [...ladderRule(path, target, webLadder), ...pageRule(path, target)];
    return [];
  });
}

/** The path of an imported file of this repository; null for a package. */
function targetOf(path: string, specifier: string): string | null {
  if (specifier.startsWith('@holdfast/')) return specifier.slice('@holdfast/'.length);
  return specifier.startsWith('.') ? join(dirname(path), specifier) : null;
}

const inContract = (path: string, specifier: string) => join(dirname(path), specifier).startsWith('contract/src/');

const mayNameTheFramework = (path: string) => /^server\/src\/((http|site)\/.+|app\.ts|[a-z]+\/routes\.ts)$/.test(path);

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
  return path.startsWith('server/src/') || path.startsWith('web/src/') ? rung.replace(/\.tsx?$/, '') : path;
}

/** The command line reaches the server's features by `operator/`. */
function commandRule(path: string, target: string): string[] {
  const free =
    /^(cli|contract|scripts)\/|^server\/src\/((operator|config|engines|lib)\/|(context|open-engines|main)\.ts$)/;
  return free.test(target)
    ? []
    : [`${path}: the command line imports operator/, config/, context.ts and open-engines.ts, not ${target}`];
}

function toolRule(path: string, target: string, folders: readonly string[]): string[] {
  return folders.some((folder) => target.startsWith(`${folder}/`))
    ? []
    : [`${path}: it imports ${target}, but only ${folders.join(', ')} are open to it`];
}

/** Only `open-engines.ts` and `context.ts`, which opens what a node shares, name concrete engines; the port of an engine is the file named after its folder. */
function engineRule(path: string, target: string): string[] {
  const [, folder, file] = /^server\/src\/engines\/([^/]+)\/(.+)\.ts$/.exec(target) ?? [];
  if (folder === undefined || file === undefined) return [];
  const everyonesFiles = [
    folder,
    'blob-id',
    'blob-memory',
    'find-damage',
    'moves',
    'read-only',
    'service-mark',
    'storage-owner',
    'connection-counts',
    'contains-text',
    'lock-rows',
    'prepared',
    'wait-for-rows',
    'refuse-changes-to-actions',
    'schema',
    'schema-change',
    'process-lock',
    'service-facts',
    'statement',
    'skip-locked',
  ];
  const inside = path.startsWith('server/src/engines/');
  const opens = ['server/src/open-engines.ts', 'server/src/context.ts'].includes(path);
  return inside || opens || everyonesFiles.includes(file)
    ? []
    : [`${path}: only open-engines.ts and context.ts name the engine ${folder}/${file}`];
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
    if (/\bwhoever\b/i.test(line)) broken.push(`${path}: docs/style.md: no 'whoever'`);
    if (/^\s*(\/\/|\/?\*)/.test(line)) continue;
    broken.push(...retiredNamesIn(line).map((term) => `${path}: docs/style.md: say ${term}`));
    if (/\bexport\s*\*/.test(line)) broken.push(`${path}: no barrels: export * hides where a name comes from`);
    // Playwright calls the default export of its global setup.
    if (path !== 'test-support/unpack-browser.ts' && /\bexport\s+default\b/.test(line))
      broken.push(`${path}: no default exports`);
    if (/\bvi\.(mock|doMock|stubGlobal)\b/.test(line)) broken.push(`${path}: no module mocks`);
    if (isTest(path)) continue;
    if (
      /^(server|cli)\/src\//.test(path) &&
      !/^server\/src\/config\/read-(environment|workers)\.ts$/.test(path) &&
      /\bprocess\.(env|loadEnvFile)\b/.test(line)
    )
      broken.push(`${path}: only config/ reads the environment`);
    if (!path.startsWith('contract/') && /['"`]\/api(\/|['"`])/.test(line))
      broken.push(`${path}: the contract alone knows paths of the API`);
  }
  return broken;
}

/** Names that `docs/style.md` replaces, and the term to use. */
const retiredNames: readonly (readonly [RegExp, string])[] = [
  [/\b(?:[a-z]+Letters?|Letters?[A-Z][A-Za-z]*)\b/, 'email'],
  [/\b(?:brakes?|braked|[a-z]*Brakes?|[a-z]*Braked)\b/, 'deletion limit'],
  [/\b(?:take|fill|free|make|give)Room[A-Za-z]*\b/, 'reserve or release quota'],
  [/\b(?:apply|begin)Readings?\b/, 'snapshot'],
  [/\b(?:outlet|openOutlet)\b/, 'response writer'],
];

/** Ignores the text in single quotes: paths, and names in a database or a message. */
function retiredNamesIn(line: string): string[] {
  const code = line.replaceAll(/'[^']*'/g, "''");
  return retiredNames.filter(([name]) => name.test(code)).map(([, term]) => term);
}

function nameRules(path: string): string[] {
  const name = path.split('/').at(-1) ?? '';
  return /^(utils?|helpers?|common|manager|base|misc)\b|^service\.|-(utils?|helpers?|manager|service)\./i.test(name)
    ? [`${path}: a file is named after what it does to the product`]
    : [];
}

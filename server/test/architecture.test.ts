import { pages } from '@holdfast/contract/src/pages.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Lowest first. A file imports from its own rung and from lower ones. */
const ladders: Readonly<Record<string, readonly string[]>> = {
  'server/src': [
    'lib',
    'config',
    'storage',
    'services',
    'context',
    'http',
    'email',
    'accounts',
    'delivery',
    'files',
    'moderation',
    'uploads',
    'billing',
    'site',
    'jobs',
    'monitoring',
    'mirror',
    'operator',
    'app',
    'greeting',
    'whole-node',
    'workers',
    'run-server',
    'main',
  ],
  'web/src': ['lib', 'ui', 'monitoring', 'api', 'components', 'layouts', 'pages', 'routes', 'main'],
};

/** What must not be in a product file, where that is, and why. */
const forbidden: readonly (readonly [RegExp, where: RegExp, reason: string])[] = [
  [
    /process\.env/,
    /^(?!server\/src\/(config\/|main\.ts)|cli\/src\/holdfast|user-cli\/)/,
    'only config reads the environment',
  ],
  [/from '@?fastify/, /^(?!server\/src\/(http\/|site\/|app\.ts|\w+\/routes\.ts))/, 'the web framework is in http'],
  [/^export \*/m, /./, 'no barrels'],
  [/^export default/m, /^(?!.*config\.ts$)/, 'no default exports'],
  [/['"`]\/api\//, /^(?!contract\/)/, 'the contract holds the paths of the API'],
  [/from '(?!\.|zod\/mini)/, /^contract\//, 'the contract imports only zod'],
  [/from '(?!\.|@holdfast\/contract\/)/, /^client\//, 'the client runs everywhere, with the contract alone'],
  [/from '(?!\.|node:|commander'|@holdfast\/client\/)/, /^user-cli\//, 'users install the client and commander alone'],
  [/from '[^']*\/(labs|e2e|test-support|server\/test)\//, /./, 'product code imports no tests'],
  [/from '((\.\.\/)*cli|@holdfast\/operator)\//, /^(?!cli\/)/, "nothing imports the operators' command line"],
  [/from '@holdfast\/cli\//, /^(?!mcp\/)/, 'only the MCP server shares code with the command line of users'],
  [
    /from '(?!node:|zod'|@modelcontextprotocol\/|\.\.\/package\.json'|@holdfast\/(cli|client)\/)/,
    /^mcp\//,
    'the MCP server is small',
  ],
];

interface Source {
  readonly path: string;
  readonly text: string;
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules/'));

const sources = ['contract/src', 'server/src', 'web/src', 'cli/src', 'client/src', 'mcp/src', 'user-cli/src']
  .flatMap(filesIn)
  .filter((path) => !/\.test\.tsx?$|conformance\.ts$|fixture\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

test('all sources follow the architecture rules', () => {
  expect(sources.length).toBeGreaterThan(150);
  expect(sources.flatMap(brokenRules)).toEqual([]);
});

test.each([
  ['server/src/files/a.ts', "import { serve } from '../app.ts';", "'files' may not import '../app.ts'"],
  ['server/src/lib/a.ts', "const { on } = await import('../config/config.ts');", "'lib' may not import"],
  ['server/src/gadgets/a.ts', "import { days } from '../lib/clock.ts';", "'gadgets' may not import"],
  ['user-cli/src/a.ts', "import { z } from 'zod';", 'users install the client and commander alone'],
  ['web/src/pages/home/a.tsx', "import { Faq } from '../faqs/Faq.tsx';", "may not import '../faqs/Faq.tsx'"],
  ['server/src/files/a.ts', "if (process.env['HOME'])", 'only config reads the environment'],
  ['server/src/lib/a.ts', "export * from './list.ts';", 'no barrels'],
])('in %s, %j breaks a rule', (path, text, rule) => {
  expect(brokenRules({ path, text })).toContainEqual(expect.stringContaining(rule));
});

test('the contract lists the pages of the router', () => {
  const router = readFileSync(join(root, 'web/src/routes.tsx'), 'utf8');
  const found = [
    ...router.matchAll(/getParentRoute: \(\) => (\w+),\s*path: '([^']*)'/g),
    ...router.matchAll(/\b(open|guest|dashboard)Page\('([^']*)'/g),
  ].map(([, parent, path = '']) => (parent === 'dashboard' ? `/dashboard${path.replace(/\/$/, '')}` : path));
  // `$` stands for all other paths.
  expect(new Set(found.filter((path) => !/\$\w*$/.test(path)))).toEqual(pages);
});

/** Returns each broken rule as a sentence that begins with the file. */
function brokenRules({ path, text }: Source): string[] {
  const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  return [
    ...forbidden.filter(([what, where]) => where.test(path) && what.test(code)).map(([, , reason]) => reason),
    ...[...code.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)]
      .map(([, target = '']) => target)
      .filter((target) => !mayImport(path, join(dirname(path), target)))
      .map((target) => `'${path.split('/')[2] ?? ''}' may not import '${target}'`),
  ].map((sentence) => `${path}: ${sentence}`);
}

function mayImport(path: string, target: string): boolean {
  const page = /^web\/src\/pages\/(\w+)/;
  if (page.test(path) && page.test(target)) return page.exec(path)?.[1] === page.exec(target)?.[1];
  const ladder = ladders[path.split('/').slice(0, 2).join('/')];
  if (ladder === undefined || target.endsWith('.css')) return true;
  const [from, to] = [path, target].map((file) => ladder.indexOf((file.split('/')[2] ?? '').replace(/\.tsx?$/, '')));
  return from !== undefined && to !== undefined && from >= 0 && to >= 0 && to <= from;
}

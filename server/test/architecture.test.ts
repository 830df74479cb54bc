import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { brokenRules, type Source } from './architecture-rules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const sources = [
  'contract/src',
  'server/src',
  'web/src',
  'cli/src',
  'server/test/behaviour',
  'server/test/harness',
].flatMap(sourcesIn);

test('the source keeps the rules of the house', () => {
  expect(sources.length).toBeGreaterThan(150);
  expect(brokenRules(sources)).toEqual([]);
});

test('nothing but zod is needed to read the contract', () => {
  const imports = sources
    .filter(({ path }) => path.startsWith('contract/src/') && !path.endsWith('.test.ts'))
    .flatMap(({ text }) => [...text.matchAll(/from '([^']+)'/g)].map(([, from]) => from ?? ''));
  expect(new Set(imports.filter((from) => !from.startsWith('./')))).toEqual(new Set(['zod/mini']));
});

const bad: readonly [string, string, string][] = [
  ['server/src/accounts/a.ts', "import { upload } from '../files/upload.ts';", 'stands above it'],
  ['server/src/http/a.ts', "import type { Caller } from '../accounts/identify.ts';", 'stands above it'],
  ['server/src/engines/mail/a.ts', "import type { Context } from '../../context.ts';", 'stands above it'],
  ['server/src/lib/a.ts', "import type { Config } from '../config.ts';", 'stands above it'],
  ['server/src/config.ts', "import { loadSecretKey } from './context.ts';", 'stands above it'],
  ['server/src/origins.ts', "import type { Context } from './context.ts';", 'stands above it'],
  ['server/src/context.ts', "import { serve } from './http/serve.ts';", 'stands above it'],
  ['server/src/files/a.ts', "const { run } = await import('../maintenance/purge.ts');", 'stands above it'],
  ['server/src/files/a.ts', "import {\n  one,\n  two,\n} from '../app.ts';", 'stands above it'],
  ['server/src/files/a.ts', "import '../main.ts';", 'stands above it'],
  ['server/src/gadgets/a.ts', "import { days } from '../lib/clock.ts';", 'is not on the ladder'],
  ['server/src/files/a.ts', "import { toast } from '../../../web/src/ui/toast.ts';", 'is not on the ladder'],
  ['server/src/files/a.ts', "import { openDiskBlobs } from '../engines/blobs/disk.ts';", 'only context.ts names'],
  ['server/src/files/a.ts', "import type { FastifyReply } from 'fastify';", 'the web framework'],
  ['server/src/accounts/sign-in.ts', "import cookie from '@fastify/cookie';", 'the web framework'],
  ['server/src/lib/a.ts', "export const home = process.env['HOME'];", 'reads the environment'],
  ['server/src/files/a.ts', "export * from './list.ts';", 'no barrels'],
  ['contract/src/a.ts', "export * as rules from './rules.ts';", 'no barrels'],
  ['web/src/ui/A.tsx', 'export default function A() {}', 'no default exports'],
  ['server/test/behaviour/a.test.ts', "vi.mock('node:fs');", 'no module mocks'],
  ['web/src/api/a.ts', "fetch('/api/v3/session/login');", 'paths of the API'],
  ['server/src/files/a.ts', 'app.get(`/api/v3/rest/${name}`);', 'paths of the API'],
  ['contract/src/a.ts', "import { readFile } from 'node:fs';", 'the contract imports zod'],
  ['web/src/lib/a.ts', "import { Button } from '../ui/Button.tsx';", 'stands above it'],
  ['web/src/ui/A.tsx', "import { client } from '../api/client.ts';", 'stands above it'],
  ['web/src/layouts/A.tsx', "import { HomePage } from '../pages/home/HomePage.tsx';", 'stands above it'],
  ['web/src/pages/home/A.tsx', "import { Faq } from '../faqs/Faq.tsx';", "another page's folder"],
  ['web/src/pages/home/A.tsx', "import { routes } from '../../routes.tsx';", 'stands above it'],
  ['server/src/app.ts', "import { openFor } from '@holdfast/cli/src/open-for.ts';", 'nothing imports the command'],
  ['server/src/main.ts', "import { openFor } from '../../cli/src/open-for.ts';", 'nothing imports the command'],
  ['cli/src/a.ts', "import { openDiskBlobs } from '@holdfast/server/src/engines/blobs/disk.ts';", 'only context.ts'],
  ['cli/src/a.ts', "export const home = process.env['HOME'];", 'reads the environment'],
  ['server/src/lib/utils.ts', '', 'named after what it does'],
  ['web/src/lib/date-helpers.ts', '', 'named after what it does'],
];

test.each(bad)('in %s, %j breaks a rule', (path, text, rule) => {
  expect(brokenRules([{ path, text }])).toContainEqual(expect.stringContaining(rule));
});

const good: readonly [string, string][] = [
  ['server/src/files/a.ts', "import { accountInfo } from '../accounts/info.ts';"],
  ['server/src/files/a.ts', "import type { BlobId } from '../engines/blobs/blobs.ts';"],
  ['server/src/files/routes.ts', "import type { FastifyReply } from 'fastify';"],
  ['server/src/engines/captcha/altcha.ts', "import type { Database } from '../database/database.ts';"],
  ['server/src/context.ts', "import { openDiskBlobs } from './engines/blobs/disk.ts';"],
  ['server/src/config.ts', "const home = process.env['HOME'];"],
  ['web/src/pages/home/A.tsx', "import { useAccount } from '../../api/session.ts';"],
  ['contract/src/a.ts', "export const path = '/api/v3/upload';"],
];

test.each(good)('in %s, %j is fine', (path, text) => {
  expect(brokenRules([{ path, text }])).toEqual([]);
});

import { pages } from '@holdfast/contract/src/pages.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { brokenRules, importCircles, type Source } from './architecture-rules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) || (folder === 'scripts' && name.endsWith('.mjs')))
    .filter((name) => !name.includes('node_modules') && !name.startsWith('architecture'))
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const sources = [
  'contract/src',
  'server/src',
  'web/src',
  'cli/src',
  'server/test',
  'bench',
  'e2e',
  'test-support',
  'scripts',
].flatMap(sourcesIn);

test('all sources follow the architecture rules', () => {
  expect(sources.length).toBeGreaterThan(150);
  expect(brokenRules(sources)).toEqual([]);
});

test('the sources have no import circle, not even of types', () => {
  expect(importCircles(sources)).toEqual([]);
});

test('importCircles finds a circle', () => {
  const circle = [
    { path: 'server/src/lib/a.ts', text: "import { b } from './b.ts';" },
    { path: 'server/src/lib/b.ts', text: "import type { C } from './c.ts';" },
    { path: 'server/src/lib/c.ts', text: "const { b } = await import('./b.ts');" },
  ];
  expect(importCircles(circle)).toEqual([['server/src/lib/b.ts', 'server/src/lib/c.ts']]);
});

/** The router itself needs a browser, so its paths are read from the source. */
test('the contract lists the pages of the router', () => {
  const router = readFileSync(join(root, 'web/src/routes.tsx'), 'utf8');
  const found = [
    ...router.matchAll(/getParentRoute: \(\) => (\w+),\s*path: '([^']*)'/g),
    ...router.matchAll(/\b(open|guest|dashboard)Page\('([^']*)'/g),
  ].map(([, parent, path = '']) => (parent === 'dashboard' ? `/dashboard${path.replace(/\/$/, '')}` : path));
  // `$` stands for all other paths.
  expect(new Set(found.filter((path) => !path.endsWith('$')))).toEqual(pages);
});

test('the contract imports only zod', () => {
  const imports = sources
    .filter(({ path }) => path.startsWith('contract/src/') && !path.endsWith('.test.ts'))
    .flatMap(({ text }) => [...text.matchAll(/from '([^']+)'/g)].map(([, from]) => from ?? ''));
  expect(new Set(imports.filter((from) => !/^\.{1,2}\//.test(from)))).toEqual(new Set(['zod/mini']));
});

const bad: readonly [string, string, string][] = [
  ['server/src/accounts/a.ts', "import { upload } from '../uploads/upload.ts';", 'stands above it'],
  ['server/src/files/a.ts', "import { exec } from 'node:child_process';", 'starts no programs'],
  ['server/src/email/a.ts', "import { signUp } from '../accounts/sign-up.ts';", 'stands above it'],
  ['server/src/site/a.ts', "import { queueLetter } from '../email/queue-email.ts';", 'stands above it'],
  ['server/src/http/bytes/a.ts', "import { robotsText } from '../../site/robots.ts';", 'stands above it'],
  ['server/src/files/a.ts', "import { quarantine } from '../moderation/quarantine.ts';", 'stands above it'],
  ['server/src/moderation/a.ts', "import type { Received } from '../uploads/receive-form.ts';", 'stands above it'],
  ['server/src/maintenance/jobs/a.ts', "import { discard } from '../../operator/discard.ts';", 'stands above it'],
  ['server/src/http/a.ts', "import type { Caller } from '../accounts/identify.ts';", 'stands above it'],
  ['server/src/engines/mail/a.ts', "import type { Context } from '../../context.ts';", 'stands above it'],
  ['server/src/lib/a.ts', "import type { Config } from '../config/config.ts';", 'stands above it'],
  ['server/src/config/a.ts', "import { openContext } from '../context.ts';", 'stands above it'],
  ['server/src/context.ts', "import { serve } from './http/serve.ts';", 'stands above it'],
  ['server/src/files/a.ts', "const { run } = await import('../maintenance/jobs/purge.ts');", 'stands above it'],
  ['server/src/files/a.ts', "import {\n  one,\n  two,\n} from '../app.ts';", 'stands above it'],
  ['server/src/files/a.ts', "import '../main.ts';", 'stands above it'],
  ['server/src/gadgets/a.ts', "import { days } from '../lib/clock.ts';", 'is not on the ladder'],
  ['server/src/files/a.ts', "import { toast } from '../../../web/src/ui/toast.ts';", 'is not on the ladder'],
  [
    'server/src/files/a.ts',
    "import { openDiskBlobs } from '../engines/blobs/disk.ts';",
    'only open-engines.ts and context.ts name',
  ],
  ['server/src/files/a.ts', "import type { FastifyReply } from 'fastify';", 'the web framework'],
  ['server/src/accounts/sign-in.ts', "import cookie from '@fastify/cookie';", 'the web framework'],
  ['server/src/lib/a.ts', "export const home = process.env['HOME'];", 'reads the environment'],
  ['server/src/files/a.ts', "export * from './list.ts';", 'no barrels'],
  ['contract/src/a.ts', "export * as rules from './rules.ts';", 'no barrels'],
  ['web/src/ui/A.tsx', 'export default function A() {}', 'no default exports'],
  ['server/test/behavior/a.test.ts', "vi.mock('node:fs');", 'no module mocks'],
  ['web/src/api/a.ts', "fetch('/api/v3/session/login');", 'paths of the API'],
  ['server/src/files/a.ts', 'app.get(`/api/v3/rest/${name}`);', 'paths of the API'],
  ['contract/src/a.ts', "import { readFile } from 'node:fs';", 'the contract imports zod'],
  ['contract/src/a.ts', "import { readConfig } from '../../server/src/config/config.ts';", 'the contract imports zod'],
  ['web/src/lib/a.ts', "import { Button } from '../ui/Button.tsx';", 'stands above it'],
  ['web/src/ui/A.tsx', "import { client } from '../api/client.ts';", 'stands above it'],
  ['web/src/monitoring/a.ts', "import { client } from '../api/client.ts';", 'stands above it'],
  ['web/src/api/a.ts', "import { LoadFailure } from '../components/LoadFailure.tsx';", 'stands above it'],
  ['web/src/components/A.tsx', "import { PublicLayout } from '../layouts/PublicLayout.tsx';", 'stands above it'],
  ['web/src/layouts/A.tsx', "import { HomePage } from '../pages/home/HomePage.tsx';", 'stands above it'],
  ['web/src/pages/home/A.tsx', "import { Faq } from '../faqs/Faq.tsx';", "another page's folder"],
  ['web/src/pages/home/A.tsx', "import { routes } from '../../routes.tsx';", 'stands above it'],
  ['server/src/app.ts', "import { openFor } from '@holdfast/cli/src/open-command.ts';", 'nothing imports the command'],
  ['server/src/main.ts', "import { openFor } from '../../cli/src/open-command.ts';", 'nothing imports the command'],
  [
    'cli/src/a.ts',
    "import { openDiskBlobs } from '@holdfast/server/src/engines/blobs/disk.ts';",
    'only open-engines.ts and context.ts',
  ],
  ['cli/src/a.ts', "import { purge } from '@holdfast/server/src/maintenance/jobs/purge.ts';", 'imports operator/'],
  ['bench/rows/a.ts', "import { format } from '../../web/src/lib/format.ts';", 'are open to it'],
  ['bench/rows/a.ts', "import { jobs } from '@holdfast/cli/src/commands/jobs.ts';", 'nothing imports the command'],
  ['e2e/a.test.ts', "import { openSqlite } from '../server/src/engines/database/sqlite.ts';", 'are open to it'],
  ['scripts/a.mjs', "import { loadConfig } from '../server/src/config/read-environment.ts';", 'are open to it'],
  ['bench/rows/a.ts', "import { startSite } from '@holdfast/e2e/harness/site.ts';", 'are open to it'],
  ['bench/rows/a.ts', "import { openBrowser } from '../../server/test/harness/browser.ts';", 'are open to it'],
  ['e2e/harness/a.ts', "import { startIngest } from '../../server/test/stand-ins/sentry-ingest.ts';", 'are open to it'],
  ['test-support/a.ts', "import { startSite } from '../e2e/harness/site.ts';", 'are open to it'],
  ['test-support/a.ts', "import { openAsker } from '@holdfast/bench/harness/ask.ts';", 'are open to it'],
  ['test-support/a.ts', "import { startServer } from '../server/test/harness/start-server.ts';", 'are open to it'],
  ['test-support/a.ts', "import { toast } from '../web/src/ui/toast.ts';", 'are open to it'],
  ['test-support/a.ts', "export * from './free-ports.ts';", 'no barrels'],
  ['server/test/services/a.test.ts', "import { startSite } from '@holdfast/e2e/harness/site.ts';", 'shared code is in'],
  ['server/test/harness/a.ts', "import { openAsker } from '../../../bench/harness/ask.ts';", 'shared code is in'],
  ['server/src/lib/a.ts', "import { freePort } from '@holdfast/test-support/free-ports.ts';", 'product code never'],
  ['server/src/lib/a.ts', "import { age } from '@holdfast/server/test/harness/age-bytes.ts';", 'product code never'],
  ['web/src/lib/a.ts', "import { freePort } from '../../../test-support/free-ports.ts';", 'product code never'],
  ['cli/src/a.ts', "import { freePort } from '@holdfast/test-support/free-ports.ts';", 'product code never'],
  ['cli/src/a.ts', "export const home = process.env['HOME'];", 'reads the environment'],
  ['server/src/files/a.ts', '// Whoever reads sees the last commit.', "no 'whoever'"],
  ['server/src/files/a.ts', 'await queueLetter(context, email);', 'say email'],
  ['cli/src/a.ts', 'const brake = openLimit();', 'say deletion limit'],
  ['server/src/files/a.ts', 'await giveRoomBack(tx, files);', 'say reserve or release quota'],
  ['server/src/billing/a.ts', 'await applyReading(context);', 'say snapshot'],
  ['server/src/http/a.ts', 'const outlet = openOutlet(response);', 'say response writer'],
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
  ['server/src/engines/blobs/process-lock.ts', "import { execFileSync } from 'node:child_process';"],
  ['server/src/config/read-environment.ts', "const home = process.env['HOME'];"],
  ['web/src/pages/home/A.tsx', "import { useAccount } from '../../api/account.ts';"],
  ['cli/src/a.ts', "import { discard } from '@holdfast/server/src/operator/discard.ts';"],
  ['bench/harness/a.ts', "import { newApiKey } from '@holdfast/server/src/accounts/api-key.ts';"],
  ['bench/harness/a.ts', "import { freePort } from '@holdfast/test-support/free-ports.ts';"],
  ['server/test/harness/a.ts', "import { freePort } from '@holdfast/test-support/free-ports.ts';"],
  ['server/src/engines/mail/a.test.ts', "import { freePort } from '@holdfast/test-support/free-ports.ts';"],
  ['test-support/a.ts', "import { newApiKey } from '@holdfast/server/src/accounts/api-key.ts';"],
  ['test-support/unpack-browser.ts', 'export default async function unpackBrowser() {}'],
  ['e2e/harness/a.ts', "import { startStripe } from '@holdfast/test-support/stand-ins/stripe.ts';"],
  ['web/src/layouts/A.tsx', "import { ContactLinks } from '../components/ContactLinks.tsx';"],
  ['contract/src/a.ts', "export const path = '/api/v3/upload';"],
];

test.each(good)('in %s, %j follows the rules', (path, text) => {
  expect(brokenRules([{ path, text }])).toEqual([]);
});

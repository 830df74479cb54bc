import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Environment, readConfig } from './read-environment.ts';

const siteOf = (environment: Environment) => {
  const { since, claims, pricing } = readConfig(environment).site;
  return { since, claims, pricing };
};

function claimsFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-claims-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'site.json');
  writeFileSync(path, text);
  return path;
}

test.each<[Environment, ReturnType<typeof siteOf>]>([
  [{}, { since: null, claims: null, pricing: true }],
  [{ SITE_CLAIMS: 'standard' }, { since: null, claims: null, pricing: true }],
  [{ SITE_CLAIMS: 'none' }, { since: null, claims: {}, pricing: true }],
  [{ SITE_SINCE: '2019' }, { since: 2019, claims: {}, pricing: true }],
  [{ PRICING: 'on' }, { since: null, claims: null, pricing: true }],
  [{ PRICING: 'off' }, { since: null, claims: {}, pricing: false }],
  [
    { PRICING: 'off', SITE_CLAIMS: 'standard' },
    { since: null, claims: null, pricing: false },
  ],
])(
  'a site with a year of its own, or without prices, makes no standard claims unless it is told to: %j',
  (set, site) => {
    expect(siteOf(set)).toEqual(site);
  },
);

test('the claims are the texts of a file', () => {
  const claims = {
    title: 'Files of the sailing club',
    lead: 'Charts, photos and results.',
    home: ['One.', 'Two.'],
    about: ['Three.'],
    figures: [['40', 'boats'] as const],
  };
  expect(siteOf({ SITE_CLAIMS: claimsFile(JSON.stringify(claims)), SITE_SINCE: '2019' })).toEqual({
    since: 2019,
    claims,
    pricing: true,
  });
  expect(siteOf({ SITE_CLAIMS: claimsFile('{ "title": "  Files  " }') }).claims).toEqual({ title: 'Files' });
});

test.each([
  ['{', 'the file is not JSON'],
  ['[]', 'the file must be an object'],
  ['{ "titel": "Files" }', "the file does not know 'titel'"],
  ['{ "title": "" }', 'title must be a text of 1 to 80 characters in one line'],
  ['{ "title": "a\\nb" }', 'title must be a text of 1 to 80 characters in one line'],
  [JSON.stringify({ lead: 'x'.repeat(301) }), 'lead must be a text of 1 to 300 characters in one line'],
  ['{ "about": "One." }', 'about must be a list of 1 to 20 texts'],
  ['{ "home": ["One.", 2] }', 'home.1 must be a text of 1 to 2000 characters in one line'],
  ['{ "figures": [["40"]] }', 'figures.0 must be a figure and what it counts, as two texts'],
  ['{ "figures": [] }', 'figures must be a list of 1 to 4 figures'],
])('a file with %s stops the start', (text, reason) => {
  const message = `SITE_CLAIMS cannot be used: ${reason}`;
  expect(() => siteOf({ SITE_CLAIMS: claimsFile(text) })).toThrow(message);
});

test('a missing file stops the start, as does a word that is no mode', () => {
  expect(() => siteOf({ SITE_CLAIMS: 'nothing' })).toThrow(/^SITE_CLAIMS cannot be used: ENOENT.*nothing'\.$/);
});

test.each<[Environment, string]>([
  [{ SITE_SINCE: 'long ago' }, `SITE_SINCE is 'long ago', but it must be a year from 1970 to `],
  [{ SITE_SINCE: '9999' }, `SITE_SINCE is '9999', but it must be a year from 1970 to `],
  [
    { SITE_SINCE: '2019', SITE_CLAIMS: 'standard' },
    `SITE_SINCE is '2019', but it must be not set while SITE_CLAIMS is standard.`,
  ],
  [{ PRICING: 'none' }, `PRICING is 'none', but it must be on or off.`],
  [
    {
      PRICING: 'off',
      STRIPE_SECRET_KEY: 'sk_live_kelp',
      STRIPE_WEBHOOK_SECRET: 'whsec_kelp',
      STRIPE_PRICES: 'basic_monthly=price_1',
    },
    `PRICING is 'off', but it must be on while STRIPE_SECRET_KEY is set.`,
  ],
])('refused: %j', (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});

test('the example of a claims file in the docs can be used', () => {
  const page = readFileSync(new URL('../../../docs/your-site.md', import.meta.url), 'utf8');
  const [, example = ''] = /```json\n([^]*?)```/.exec(page) ?? [];
  expect(siteOf({ SITE_CLAIMS: claimsFile(example) }).claims).toMatchObject({ title: expect.any(String) });
});

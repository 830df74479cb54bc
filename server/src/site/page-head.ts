import type { Context } from '../context.ts';
import { escapeHtml } from '../lib/escape-html.ts';
import { pageFacts } from './page-facts.ts';
import type { Policies } from './read-policies.ts';

export function pageHead({ config }: Pick<Context, 'config'>, policies: Policies, path: string): string {
  const { name, claims } = config.site;
  const facts = pageFacts(config).get(path);
  if (!facts) return [`<title>${escapeHtml(name)}</title>`, ofTheSite, manifest].join(lineBreak);
  const title = `${policies.get(path)?.title ?? facts.title} · ${name}`;
  const address = config.origins.app + path;
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', facts.description),
    manifest,
    `<link rel="canonical" href="${escapeHtml(address)}" />`,
    ...Object.entries({
      'og:type': 'website',
      'og:site_name': name,
      'og:title': path === '/' ? name : title,
      'og:description': facts.description,
      'og:url': address,
      ...(claims === null ? standardImage(config.origins.app) : { 'og:image': `${config.origins.app}/icon-512.png` }),
    }).map(([property, content]) => meta('property', property, content)),
    meta('name', 'twitter:card', claims === null ? 'summary_large_image' : 'summary'),
  ].join(lineBreak);
}

/** It shows the standard heading and text of the home page. */
const standardImage = (origin: string) => ({
  'og:image': `${origin}/social.png`,
  'og:image:width': '1200',
  'og:image:height': '630',
  'og:image:alt': 'A link that holds.',
});

const manifest = '<link rel="manifest" href="/site.webmanifest" />';
const lineBreak = '\n    ';

const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}" />`;

const ofTheSite = meta('name', 'description', 'Upload a file, get one public link, and keep it.');

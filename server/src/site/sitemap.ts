import { pages } from '@holdfast/contract/src/pages.ts';
import { pageFacts } from './page-facts.ts';
import { escapeHtml } from './page-head.ts';

/** Lists the existing public pages (sitemaps.org). */
export function sitemap(appOrigin: string): string {
  const paths = [...pageFacts.keys()].filter((path) => pages.has(path));
  const entries = paths.map((path) => `  <url><loc>${escapeHtml(appOrigin + path)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

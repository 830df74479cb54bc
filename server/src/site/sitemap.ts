import type { Context } from '../context.ts';
import { pageFacts } from './page-facts.ts';
import { escapeHtml } from './page-head.ts';

/** Lists the existing public pages (sitemaps.org). */
export function sitemap({ config, origins }: Pick<Context, 'config' | 'origins'>): string {
  const paths = [...pageFacts(config).keys()];
  const entries = paths.map((path) => `  <url><loc>${escapeHtml(origins.app + path)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

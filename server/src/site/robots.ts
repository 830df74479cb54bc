import { apiRoot } from '@holdfast/contract/src/calls.ts';
import { fileRoot, speedTestPath } from '@holdfast/contract/src/public-files.ts';

/**
 * For the app's own host: its pages may be crawled; API calls, pages that need an account, and users' files may not
 * (RFC 9309).
 */
export const robotsText = (appOrigin: string): string =>
  [
    'User-agent: *',
    `Disallow: ${apiRoot}/`,
    'Disallow: /dashboard',
    `Disallow: ${fileRoot}`,
    `Disallow: ${speedTestPath}`,
    '',
    `Sitemap: ${appOrigin}/sitemap.xml`,
    '',
  ].join('\n');

/** For a file host: links are only for the people who received them. */
export const fileHostRobotsText = 'User-agent: *\nDisallow: /\n';

/** Some pages are useless without the link from this site that leads to them. */
export const isForSearch = (path: string): boolean =>
  !/^\/(dashboard|verify-code|forget-password|reset-password)(\/|$)/i.test(path);

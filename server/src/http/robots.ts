import { apiRoot } from '@holdfast/contract/src/calls.ts';
import { fileRoot, speedTestPath } from '@holdfast/contract/src/public-files.ts';

/** For the app's own host: its pages may be read; calls, what needs an account, and people's files may not (RFC 9309). */
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

/** For a host of files: links are for the people who were given them. */
export const fileHostRobotsText = 'User-agent: *\nDisallow: /\n';

/** Some pages are of no use to whoever did not come by a link of ours. */
export const isForSearch = (path: string): boolean =>
  !/^\/(dashboard|verify-code|forget-password|reset-password)(\/|$)/i.test(path);

import { apiRoot } from '@holdfast/contract/src/calls.ts';
import { fileRoot, speedTestPath } from '@holdfast/contract/src/public-files.ts';
import { previewBots } from './preview-bots.ts';

/** A bot follows the group that names it and no other (RFC 9309, section 2.2.1). */
const previewGroup = previewBots.map((token) => `User-agent: ${token}`);

/**
 * For the app's own host: its pages may be crawled; API calls, pages that need an account, and users' files may not
 * (RFC 9309). Bots that show a preview of a link may fetch files.
 */
export const robotsText = (appOrigin: string): string => {
  const closed = [`Disallow: ${apiRoot}/`, 'Disallow: /dashboard', `Disallow: ${speedTestPath}`];
  return [
    ...previewGroup,
    `Allow: ${fileRoot}`,
    ...closed,
    '',
    'User-agent: *',
    `Disallow: ${fileRoot}`,
    ...closed,
    '',
    `Sitemap: ${appOrigin}/sitemap.xml`,
    '',
  ].join('\n');
};

/** For a file host: links are only for the people who received them, and for previews where they posted them. */
export const fileHostRobotsText = [
  ...previewGroup,
  `Allow: ${fileRoot}`,
  'Disallow: /',
  '',
  'User-agent: *',
  'Disallow: /',
  '',
].join('\n');

/** Some pages are useless without the link from this site that leads to them. */
export const isForSearch = (path: string): boolean =>
  !/^\/(dashboard|verify-code|forget-password|reset-password)(\/|$)/i.test(path);

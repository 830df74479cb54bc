import { apiRoot } from '@holdfast/contract/src/calls.ts';
import { fileRoot, speedTestPath } from '@holdfast/contract/src/public-files.ts';

/** Bots that show a preview of a link in a chat, by their product tokens (RFC 9309, section 2.2.1). */
const previewBots = [
  'Discordbot',
  'Slackbot',
  'Slackbot-LinkExpanding',
  'Slack-ImgProxy',
  'Twitterbot',
  'TelegramBot',
  'facebookexternalhit',
  'WhatsApp',
  'LinkedInBot',
  'SkypeUriPreview',
  'Synapse',
  'Mastodon',
  'Mattermost-Bot',
  'ZulipURLPreview',
  'Viber',
  'kakaotalk-scrap',
  'redditbot',
  'Iframely',
] as const;

const anyOfThem = new RegExp(String.raw`\b(?:${previewBots.join('|')})\b`, 'i');

/** Any client can claim to be one, so it must gain little by it. */
export const isPreviewBot = (agent: string | undefined): boolean => agent !== undefined && anyOfThem.test(agent);

const previewGroup = previewBots.map((token) => `User-agent: ${token}`);

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

export const fileHostRobotsText = [
  ...previewGroup,
  `Allow: ${fileRoot}`,
  'Disallow: /',
  '',
  'User-agent: *',
  'Disallow: /',
  '',
].join('\n');

export const isForSearch = (path: string): boolean =>
  !/^\/(dashboard|verify-code|forget-password|reset-password)(\/|$)/i.test(path);

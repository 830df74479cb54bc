/**
 * Programs that fetch a link when a person posts it in a chat, to show a preview. They are the product tokens of their
 * `User-agent` lines in robots.txt, and each of their requests names one (RFC 9309, section 2.2.1).
 */
export const previewBots = [
  'Discordbot',
  'Slackbot',
  'Slackbot-LinkExpanding',
  'Slack-ImgProxy',
  'Twitterbot',
  'TelegramBot',
  'facebookexternalhit',
  'WhatsApp',
  'LinkedInBot',
] as const;

const anyOfThem = new RegExp(String.raw`\b(?:${previewBots.join('|')})\b`, 'i');

/** Returns whether a `User-Agent` header names one of them. Any client can claim that, so it must gain little by it. */
export const isPreviewBot = (agent: string | undefined): boolean => agent !== undefined && anyOfThem.test(agent);

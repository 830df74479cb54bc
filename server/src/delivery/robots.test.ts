import { expect, test } from 'vitest';
import { isPreviewBot } from './robots.ts';

test.each([
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
])('%s is a preview bot', (agent) => {
  expect(isPreviewBot(agent)).toBe(true);
});

test.each([
  undefined,
  '',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'NotDiscordbots/1.0',
])('%s is none', (agent) => {
  expect(isPreviewBot(agent)).toBe(false);
});

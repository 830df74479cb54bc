import { expect, test } from 'vitest';
import { isPreviewBot } from './robots.ts';

test.each([
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'http.rb/5.2.0 (Mastodon/4.3.1; +https://mastodon.example/) Bot',
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
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

import { expect, test } from 'vitest';
import { readSite } from './read-site.ts';

test('the facts about the site are read from the page', () => {
  const text =
    '{"name":"Kelp","contactEmail":"a@example.com","contactChatUrl":"https://chat.example.com","dmcaAgent":"Ada Kelp\\nada@example.com","recaptcha":true,"offers":["basic_yearly",7],"sentryDsn":"https://abc@sentry.example.com/42","mayBeSignedIn":false}';
  expect(readSite(text)).toEqual({
    name: 'Kelp',
    contactEmail: 'a@example.com',
    contactChatUrl: 'https://chat.example.com',
    dmcaAgent: 'Ada Kelp\nada@example.com',
    recaptcha: true,
    offers: ['basic_yearly'],
    sentryDsn: 'https://abc@sentry.example.com/42',
    mayBeSignedIn: false,
  });
});

test('a page without facts falls back to the defaults', () => {
  const defaults = {
    name: 'Holdfast',
    contactEmail: null,
    contactChatUrl: null,
    dmcaAgent: null,
    recaptcha: false,
    offers: [],
    sentryDsn: null,
    mayBeSignedIn: true,
  };
  expect(readSite('HOLDFAST_SITE')).toEqual(defaults);
  expect(readSite('')).toEqual(defaults);
  expect(readSite('{"name":"","contactEmail":null}')).toEqual(defaults);
});

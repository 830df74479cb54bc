import { expect, test } from 'vitest';
import { readSite } from './read-site.ts';

test('the facts about the site are read from the page', () => {
  const text =
    '{"name":"Kelp","version":"1.2.3","contactEmail":"a@example.com","contactChatUrl":"https://chat.example.com","dmcaAgent":"Ada Kelp\\nada@example.com","since":2019,"claims":{"title":"Files"},"pricing":false,"policyTitles":{"/privacy-policy":"Privacy"},"recaptcha":true,"offers":["basic_yearly",7],"fileOrigins":["https://files.example.com"],"signUp":"invite","planChanges":{"free":{"slotsQuota":9}},"defaultPlan":"house","sentryDsn":"https://abc@sentry.example.com/42","mayBeSignedIn":false}';
  expect(readSite(text)).toEqual({
    name: 'Kelp',
    version: '1.2.3',
    contactEmail: 'a@example.com',
    contactChatUrl: 'https://chat.example.com',
    dmcaAgent: 'Ada Kelp\nada@example.com',
    since: 2019,
    claims: { title: 'Files' },
    pricing: false,
    policyTitles: { '/privacy-policy': 'Privacy' },
    recaptcha: true,
    offers: ['basic_yearly'],
    fileOrigins: ['https://files.example.com'],
    signUp: 'invite',
    planChanges: { free: { slotsQuota: 9 } },
    defaultPlan: 'house',
    sentryDsn: 'https://abc@sentry.example.com/42',
    mayBeSignedIn: false,
  });
});

test('a page without facts falls back to the defaults', () => {
  const defaults = {
    name: 'Holdfast',
    version: '',
    contactEmail: null,
    contactChatUrl: null,
    dmcaAgent: null,
    since: null,
    claims: null,
    pricing: true,
    policyTitles: {},
    recaptcha: false,
    offers: [],
    fileOrigins: [],
    signUp: 'open',
    planChanges: {},
    defaultPlan: 'free',
    sentryDsn: null,
    mayBeSignedIn: true,
  };
  expect(readSite('HOLDFAST_SITE')).toEqual(defaults);
  expect(readSite('')).toEqual(defaults);
  expect(readSite('{"name":"","contactEmail":null}')).toEqual(defaults);
});

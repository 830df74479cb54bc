import { expect, test } from 'vitest';
import { readSite } from './read-site.ts';

test("the page carries the operator's facts", () => {
  const text = '{"name":"Kelp","contactEmail":"a@example.com","contactChatUrl":"https://chat.example.com"}';
  expect(readSite(text)).toEqual({
    name: 'Kelp',
    contactEmail: 'a@example.com',
    contactChatUrl: 'https://chat.example.com',
  });
});

test('a page that no server has filled in falls back to the defaults', () => {
  const defaults = { name: 'Holdfast', contactEmail: null, contactChatUrl: null };
  expect(readSite('HOLDFAST_SITE')).toEqual(defaults);
  expect(readSite('')).toEqual(defaults);
  expect(readSite('{"name":"","contactEmail":null}')).toEqual(defaults);
});

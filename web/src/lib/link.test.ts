import { expect, test } from 'vitest';
import { previewLink, publicLink } from './link.ts';

const file = { name: 'q7Rt2mXa', extension: 'mp4' };
const rule = { preferred_domain: 'files.example.com:8443', show_file_extensions: true };

test('an account that hides extensions gets links without them', () => {
  expect(publicLink(file, { ...rule, show_file_extensions: false }, 'https:')).toBe(
    'https://files.example.com:8443/file/q7Rt2mXa',
  );
});

test('a preview link is not counted as a hit', () => {
  expect(previewLink(file, rule, 'https:')).toBe('https://files.example.com:8443/file/q7Rt2mXa?no-count=true');
});

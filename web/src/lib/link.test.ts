import { expect, test } from 'vitest';
import { originOf, previewLink, publicLink } from './link.ts';

const file = { name: 'q7Rt2mXa', extension: 'mp4' };
const rule = { origin: 'https://files.example.com:8443', show_file_extensions: true };

test('an account that hides extensions gets links without them', () => {
  expect(publicLink(file, { ...rule, show_file_extensions: false })).toBe(
    'https://files.example.com:8443/file/q7Rt2mXa',
  );
});

test('a preview link is not counted as a hit', () => {
  expect(previewLink(file, rule)).toBe('https://files.example.com:8443/file/q7Rt2mXa?no-count=true');
});

test('a link has the protocol of its file host, whatever that of the page', () => {
  const origins = ['https://files.example.com', 'http://localhost:3000'];
  expect(originOf('files.example.com', origins)).toBe('https://files.example.com');
  expect(originOf('localhost:3000', origins)).toBe('http://localhost:3000');
});

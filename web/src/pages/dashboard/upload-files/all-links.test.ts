import { expect, test } from 'vitest';
import { allLinks } from './all-links.ts';

const files = [
  { name: 'boot.mp4', url: 'https://files.example.com/file/q7Rt2mXa.mp4' },
  { name: 'draft [old]_1.txt', url: 'https://files.example.com/file/Zk0vB91e.txt' },
];

test('plain text has one link per line', () => {
  expect(allLinks(files, 'Plain text')).toBe(
    'https://files.example.com/file/q7Rt2mXa.mp4\nhttps://files.example.com/file/Zk0vB91e.txt',
  );
});

test('Markdown escapes names that look like markup', () => {
  expect(allLinks(files, 'Markdown')).toBe(
    '- [boot.mp4](https://files.example.com/file/q7Rt2mXa.mp4)\n' +
      String.raw`- [draft \[old\]\_1.txt](https://files.example.com/file/Zk0vB91e.txt)`,
  );
});

test('JSON parses to names and links', () => expect(JSON.parse(allLinks(files, 'JSON'))).toEqual(files));

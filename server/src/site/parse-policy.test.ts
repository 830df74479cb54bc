import { expect, test } from 'vitest';
import { parsePolicy } from './parse-policy.ts';

const parse = (markdown: string) => parsePolicy(new TextEncoder().encode(markdown));

test('a title, an introduction and sections with anchors', () => {
  expect(parse('# Rules of the *club*\n\nBe kind.\n\n## What you may do\n\nSail.\n\nMore\n----\n\nRow.\n')).toEqual({
    title: 'Rules of the club',
    intro: [{ tag: 'p', parts: ['Be kind.'] }],
    sections: [
      { id: 'what-you-may-do', title: 'What you may do', parts: [{ tag: 'p', parts: ['Sail.'] }] },
      { id: 'more', title: 'More', parts: [{ tag: 'p', parts: ['Row.'] }] },
    ],
  });
});

test('a text without headings is an introduction, and the page keeps its title', () => {
  expect(parse('\uFEFFBe kind.')).toEqual({
    title: null,
    intro: [{ tag: 'p', parts: ['Be kind.'] }],
    sections: [],
  });
});

test('only a heading at the beginning is the title', () => {
  expect(parse('Be kind.\n\n# Rules\n\nSail.\n\n# Rules\n')).toMatchObject({
    title: null,
    sections: [
      { id: 'rules', title: 'Rules' },
      { id: 'rules-2', title: 'Rules' },
    ],
  });
});

test('anchors are plain, and none is that of another part of the page', () => {
  const { sections } = parse('## Contenu: déjà vu?\n\n## Content\n\n## !\n\n## 規則\n');
  expect(sections.map(({ id }) => id)).toEqual(['contenu-deja-vu', 'content-2', 'section', '規則']);
});

test('every kind of text becomes elements', () => {
  const { sections } = parse(
    [
      '## All',
      'Some *em*, **strong**, ~~gone~~, `<code>`, &copy; and \\<b>,  ',
      'a [link](https://example.com/ "title"), <https://example.org> and [place](/privacy-policy#age).',
      '',
      '- one',
      '- two',
      '',
      '3. three',
      '',
      '   > quoted',
      '   > # loud',
      '',
      '### Sub',
      '',
      '```',
      '<script>alert(1)</script>',
      '```',
      '---',
      '| a | b |',
      '| - | - |',
      '| 1 | 2 |',
    ].join('\n'),
  );
  expect(sections[0]?.parts).toEqual([
    {
      tag: 'p',
      parts: [
        'Some ',
        { tag: 'em', parts: ['em'] },
        ', ',
        { tag: 'strong', parts: ['strong'] },
        ', ',
        { tag: 's', parts: ['gone'] },
        ', ',
        { tag: 'code', parts: ['<code>'] },
        ', © and <b>,',
        { tag: 'br', parts: [] },
        'a ',
        { tag: 'a', href: 'https://example.com/', parts: ['link'] },
        ', ',
        { tag: 'a', href: 'https://example.org', parts: ['https://example.org'] },
        ' and ',
        { tag: 'a', href: '/privacy-policy#age', parts: ['place'] },
        '.',
      ],
    },
    {
      tag: 'ul',
      parts: [
        { tag: 'li', parts: ['one'] },
        { tag: 'li', parts: ['two'] },
      ],
    },
    {
      tag: 'ol',
      start: 3,
      parts: [
        {
          tag: 'li',
          parts: [
            { tag: 'p', parts: ['three'] },
            {
              tag: 'blockquote',
              parts: [
                { tag: 'p', parts: ['quoted'] },
                { tag: 'h3', parts: ['loud'] },
              ],
            },
          ],
        },
      ],
    },
    { tag: 'h3', parts: ['Sub'] },
    { tag: 'pre', parts: [{ tag: 'code', parts: ['<script>alert(1)</script>\n'] }] },
    { tag: 'hr', parts: [] },
    {
      tag: 'table',
      parts: [
        {
          tag: 'thead',
          parts: [
            {
              tag: 'tr',
              parts: [
                { tag: 'th', parts: ['a'] },
                { tag: 'th', parts: ['b'] },
              ],
            },
          ],
        },
        {
          tag: 'tbody',
          parts: [
            {
              tag: 'tr',
              parts: [
                { tag: 'td', parts: ['1'] },
                { tag: 'td', parts: ['2'] },
              ],
            },
          ],
        },
      ],
    },
  ]);
});

test.each([
  ['## A\n\n<div>b</div>\n', 'line 3: HTML is not supported; write \\< for a <'],
  ['Some <b>bold</b> text', 'line 1: HTML is not supported; write \\< for a <'],
  ['<!-- later -->', 'line 1: HTML is not supported; write \\< for a <'],
  ['## <script>alert(1)</script>', 'line 1: HTML is not supported; write \\< for a <'],
  ['a\n\n![kelp](https://example.com/a.png)', 'line 3: images are not supported'],
  ['[a](javascript:alert)', "line 1: the link 'javascript:alert' must begin with https://, http://, mailto:, / or #"],
  ['[a](JAVA&#115;cript:x)', "line 1: the link 'JAVAscript:x' must begin with https://, http://, mailto:, / or #"],
  ['[a](//example.com)', "line 1: the link '//example.com' must begin with https://, http://, mailto:, / or #"],
  ['[a](data:text/html,x)', "line 1: the link 'data:text/html,x' must begin with https://, http://, mailto:, / or #"],
  ['[a](terms.md)', "line 1: the link 'terms.md' must begin with https://, http://, mailto:, / or #"],
  ['a\n\n##\n', 'line 3: a heading has no words'],
  [' \n\n', 'the file has no text'],
  ['x'.repeat(500_001), 'the file is longer than 500000 bytes'],
])('%j is refused', (markdown, reason) => {
  expect(() => parse(markdown)).toThrow(new Error(reason));
});

test('a text in another encoding is refused', () => {
  expect(() => parsePolicy(Uint8Array.of(0xe9, 0x20))).toThrow(new Error('the file is not UTF-8'));
});

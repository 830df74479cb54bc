import { expect, test } from 'vitest';
import { stepTexts } from './step-texts.ts';

const pages = import.meta.glob<string>(['/README.md', '/docs/*.md'], { query: '?raw', import: 'default', eager: true });

test.each(Object.entries(stepTexts))(
  'the docs have the heading of %s, and its settings and commands',
  (_step, text) => {
    const [page, heading] = text.docs;
    const lines = (pages[`/${page}`] ?? '').split('\n');
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^#+ ${heading}$`)));
    const code = [text.hint ?? '', ...[...text.text.matchAll(/`([^`]+)`/g)].map(([, each = '']) => each)];
    expect(code.filter((each) => !lines.join('\n').includes(each))).toEqual([]);
  },
);

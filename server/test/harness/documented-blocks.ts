import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A block of code on a page of the documentation. */
export interface Block {
  readonly page: string;
  readonly heading: string;
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

/** Returns the blocks of a page in their order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(`${root}${page}`, 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(
    ({ 1: indent = '', 2: language = '', 3: code = '', index }) => {
      const above = text.slice(0, index);
      return {
        page,
        heading: above.split(/^#+ /m).at(-1)?.split('\n')[0] ?? '',
        language,
        text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
        line: above.split('\n').length + 1,
      };
    },
  );
}

/** Returns the only block of a language below a heading. */
export function blockOf(page: string, heading: string, language: string): string {
  const [block, ...more] = blocksOf(page).filter((each) => each.heading === heading && each.language === language);
  if (!block || more.length > 0) throw new Error(`${page} must have one ${language} block below '${heading}'`);
  return block.text;
}

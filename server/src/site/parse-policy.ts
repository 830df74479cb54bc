import {
  type PolicyText,
  type TextElement,
  type TextPart,
  type TextTag,
  textTags,
} from '@holdfast/contract/src/policies.ts';
import MarkdownIt, { type Token } from 'markdown-it';

const longest = 500_000;

// HTML and all links are recognized, to be refused instead of shown as written.
const markdown = new MarkdownIt({ html: true });
markdown.validateLink = () => true;

/** @throws {Error} that names the line with HTML, an image, or a link that no policy needs. */
export function parsePolicy(bytes: Uint8Array): PolicyText {
  if (bytes.length > longest) throw new Error(`the file is longer than ${longest} bytes`);
  const [intro, ...sections] = splitAtHeadings(markdown.parse(textOf(bytes), {}));
  const titled = intro.tokens.length === 0 && sections[0]?.level === 1 ? sections.shift() : undefined;
  const anchors = nameAnchors(sections.map(({ title }) => title));
  const text: PolicyText = {
    title: titled?.title ?? null,
    intro: partsOf((titled ?? intro).tokens),
    sections: sections.map(({ title, tokens }, index) => ({ id: anchors[index] ?? '', title, parts: partsOf(tokens) })),
  };
  if (text.intro.length === 0 && text.sections.length === 0) throw new Error('the file has no text');
  return text;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error('the file is not UTF-8', { cause: error });
  }
}

interface Section {
  readonly level: number;
  readonly title: string;
  readonly tokens: Token[];
}

function splitAtHeadings(tokens: readonly Token[]): [Section, ...Section[]] {
  const found: [Section, ...Section[]] = [{ level: 0, title: '', tokens: [] }];
  for (const [index, token] of tokens.entries()) {
    if (opensSection(token)) {
      const title = wordsOf(tokens[index + 1]);
      if (title === '') throw new Error(`${lineOf(token)}a heading has no words`);
      found.push({ level: Number(token.tag.slice(1)), title, tokens: [] });
    } else if (!closesSection(token) && !(index > 0 && opensSection(tokens[index - 1])))
      found.at(-1)?.tokens.push(token);
  }
  return found;
}

const opensSection = (token: Token | undefined) =>
  token?.type === 'heading_open' && token.level === 0 && /^h[12]$/.test(token.tag);
const closesSection = ({ type, level, tag }: Token) => type === 'heading_close' && level === 0 && /^h[12]$/.test(tag);

const wordsOf = (inline: Token | undefined): string => joinWords(partsOf(inline ? [inline] : [])).trim();

const joinWords = (parts: readonly TextPart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : joinWords(part.parts))).join('');

/** Each is different, and none is one that the page uses for something else. */
function nameAnchors(titles: readonly string[]): readonly string[] {
  const taken = new Set(['content', 'root', 'site']);
  return titles.map((title) => {
    const plain = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
    const stem = plain.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'section';
    let anchor = stem;
    for (let number = 2; taken.has(anchor); number += 1) anchor = `${stem}-${number}`;
    taken.add(anchor);
    return anchor;
  });
}

function partsOf(tokens: readonly Token[], within = ''): readonly TextPart[] {
  const parts: TextPart[] = [];
  const open: { readonly element: TextElement; readonly parts: TextPart[] }[] = [];
  const add = (...more: readonly TextPart[]) => (open.at(-1)?.parts ?? parts).push(...more);
  for (const token of tokens) {
    const line = lineOf(token) || within;
    // The paragraphs in the entries of a tight list.
    if (token.hidden) continue;
    if (token.nesting === 1) {
      const inside: TextPart[] = [];
      open.push({ element: elementOf(token, inside, line), parts: inside });
    } else if (token.nesting === -1) {
      const done = open.pop();
      if (done) add(done.element);
    } else add(...leafOf(token, line));
  }
  return parts;
}

function elementOf(token: Token, parts: readonly TextPart[], line: string): TextElement {
  const start = token.attrGet('start');
  const href = token.type === 'link_open' ? { href: safeLink(String(token.attrGet('href')), line) } : {};
  return { tag: tagOf(token, line), parts, ...href, ...(start !== null && { start: Number(start) }) };
}

function tagOf({ tag, type }: Token, line: string): TextTag {
  const wanted = /^h[12]$/.test(tag) ? 'h3' : tag;
  const known = textTags.find((each) => each === wanted);
  if (known === undefined) throw new Error(`${line}${type} is not supported`);
  return known;
}

function safeLink(href: string, line: string): string {
  if (/^(https?:\/\/|mailto:|\/(?!\/)|#)/i.test(href)) return href;
  throw new Error(`${line}the link '${href}' must begin with https://, http://, mailto:, / or #`);
}

function leafOf(token: Token, line: string): readonly TextPart[] {
  switch (token.type) {
    case 'inline':
      return partsOf(token.children ?? [], line);
    case 'text':
      return token.content === '' ? [] : [token.content];
    case 'softbreak':
      return ['\n'];
    case 'hardbreak':
      return [{ tag: 'br', parts: [] }];
    case 'hr':
      return [{ tag: 'hr', parts: [] }];
    case 'code_inline':
      return [{ tag: 'code', parts: [token.content] }];
    case 'fence':
    case 'code_block':
      return [{ tag: 'pre', parts: [{ tag: 'code', parts: [token.content] }] }];
    case 'image':
      throw new Error(`${line}images are not supported`);
    case 'html_block':
    case 'html_inline':
      throw new Error(`${line}HTML is not supported; write \\< for a <`);
    default:
      throw new Error(`${line}${token.type} is not supported`);
  }
}

const lineOf = ({ map }: Token): string => (map ? `line ${map[0] + 1}: ` : '');

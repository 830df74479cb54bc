export type TokenKind = 'text' | 'string' | 'word';
export interface Token {
  readonly kind: TokenKind;
  readonly at: number;
  readonly text: string;
}

/** Strings, command options and keywords: enough to scan a short sample. */
const pattern =
  /(?<string>"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(?<word>(?<=\s)--[a-z-]+|\b(?:import|from|static|async|function|const|await|new|if|not|or|while|try|except|raise|return|throw|for|of|in|with|as|open|def|class|public|void|var|throws|true|false|null|curl|print)\b)/g;

/** The whole text, split into tokens. */
export function highlight(code: string): Token[] {
  const tokens: Token[] = [];
  let done = 0;
  for (const match of code.matchAll(pattern)) {
    if (match.index > done) tokens.push({ kind: 'text', at: done, text: code.slice(done, match.index) });
    tokens.push({ kind: match.groups?.['string'] === undefined ? 'word' : 'string', at: match.index, text: match[0] });
    done = match.index + match[0].length;
  }
  if (done < code.length) tokens.push({ kind: 'text', at: done, text: code.slice(done) });
  return tokens;
}

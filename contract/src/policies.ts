/** Policies that an operator writes, as the server sends them to the page that shows them. */

/** The pages whose text an operator can replace, with the file's name. */
export const policyFiles = {
  'terms.md': '/terms-of-service',
  'privacy.md': '/privacy-policy',
  'dmca.md': '/dmca-policy',
} as const;
export type PolicyPath = (typeof policyFiles)[keyof typeof policyFiles];

/** Where the page of a policy finds its text, as JSON. */
export const policyTextPath = (page: PolicyPath): string => `${page}.json`;

export const textTags = [
  'p',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'code',
  'strong',
  'em',
  's',
  'a',
  'br',
  'hr',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
] as const;
export type TextTag = (typeof textTags)[number];

/** Words, or an element with parts of its own. */
export type TextPart = string | TextElement;

export interface TextElement {
  readonly tag: TextTag;
  readonly parts: readonly TextPart[];
  /** Of a link: an address by http, https or mailto, or a place on this site. */
  readonly href?: string;
  /** Of a numbered list: the number of its first entry. */
  readonly start?: number;
}

export interface PolicyText {
  /** Null if the page keeps its standard title. */
  readonly title: string | null;
  /** What precedes the first section. */
  readonly intro: readonly TextPart[];
  readonly sections: readonly {
    /** The anchor. */
    readonly id: string;
    readonly title: string;
    readonly parts: readonly TextPart[];
  }[];
}

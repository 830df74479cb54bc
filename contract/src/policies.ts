export const policyFiles = {
  'terms.md': '/terms-of-service',
  'privacy.md': '/privacy-policy',
  'dmca.md': '/dmca-policy',
} as const;
export type PolicyPath = (typeof policyFiles)[keyof typeof policyFiles];

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
  readonly title: string | null;
  readonly intro: readonly TextPart[];
  readonly sections: readonly {
    readonly id: string;
    readonly title: string;
    readonly parts: readonly TextPart[];
  }[];
}

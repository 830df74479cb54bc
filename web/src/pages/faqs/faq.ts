import type { ReactNode } from 'react';

export interface Faq {
  /** The anchor, which others may have linked: keep it when the words of the question change. */
  readonly id: string;
  readonly question: string;
  readonly answer: ReactNode;
}

export interface Group {
  readonly title: string;
  readonly faqs: readonly Faq[];
}

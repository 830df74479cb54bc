import type { ReactNode } from 'react';

export interface PolicySection {
  /** The anchor, which others may have linked: keep it when the words of the title change. */
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

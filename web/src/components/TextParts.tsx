import type { TextPart } from '@holdfast/contract/src/policies.ts';
import { createElement, Fragment, type ReactNode } from 'react';

/** A text of the operator as elements. It contains no HTML, so nothing in it can run. */
export const TextParts = ({ parts }: { readonly parts: readonly TextPart[] }): ReactNode =>
  createElement(Fragment, null, ...parts.map(elementOf));

function elementOf(part: TextPart): ReactNode {
  if (typeof part === 'string') return part;
  const { tag, parts, href, start } = part;
  const link = href === undefined ? {} : { href, rel: 'noreferrer' };
  // As arguments, unlike in a list, the parts need no keys: their order never changes.
  const element = createElement(tag, { ...link, start }, ...parts.map(elementOf));
  return tag === 'table' ? <Scrollable>{element}</Scrollable> : element;
}

const tableStyle =
  '[&_table]:w-full [&_table]:border-y [&_table]:border-line [&_th]:py-2 [&_th]:pr-4 [&_th]:text-left [&_th]:font-medium [&_td]:border-t [&_td]:border-line [&_td]:py-2 [&_td]:pr-4 [&_td]:align-top';

/** A table that is wider than a phone scrolls apart from the page, by keyboard too. */
const Scrollable = ({ children }: { readonly children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without a focus it could not be scrolled by keyboard
  <section aria-label="Table" tabIndex={0} className={`overflow-x-auto ${tableStyle}`}>
    {children}
  </section>
);

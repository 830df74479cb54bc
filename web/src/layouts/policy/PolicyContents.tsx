import { ChevronDown } from 'lucide-react';
import { useCurrentSection } from '../use-current-section.ts';
import type { PolicySection } from './policy-section.ts';

export interface ContentsProps {
  readonly sections: readonly PolicySection[];
}

/** Stays beside the text, and marks where one is. */
export function PolicyContents({ sections }: ContentsProps) {
  const current = useCurrentSection(sections.map(({ id }) => id));
  return (
    <nav
      aria-label="On this page"
      className="sticky top-24 hidden max-h-[calc(100dvh-8rem)] self-start overflow-y-auto text-m lg:block print:hidden"
    >
      <p className="mb-2 pl-4 font-medium">On this page</p>
      <ul className="border-l border-line">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current ? 'location' : undefined} className={entry}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The same above the text, where there is no room beside it. */
export function FoldedContents({ sections }: ContentsProps) {
  return (
    <details className="group mb-10 rounded-m border border-line bg-surface lg:hidden print:hidden">
      <summary className="flex min-h-11 list-none items-center justify-between px-4 font-medium [&::-webkit-details-marker]:hidden">
        On this page
        <ChevronDown aria-hidden className="size-4 text-muted transition-transform group-open:rotate-180" />
      </summary>
      <nav aria-label="On this page">
        <ul className="border-t border-line py-2">
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`} className="flex min-h-11 items-center px-4 text-muted hover:bg-sunken hover:text-ink">
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  );
}

const entry =
  '-ml-px block border-l border-transparent py-1.5 pl-4 text-muted transition-colors duration-100 hover:text-ink ' +
  'focus-visible:-outline-offset-2 aria-[current=location]:border-sea aria-[current=location]:font-medium aria-[current=location]:text-ink';

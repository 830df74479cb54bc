import type { ReactNode } from 'react';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { TextPageHead } from '../TextPageHead.tsx';
import { useLinkedPlace } from '../use-linked-place.ts';
import { prose } from '../prose.ts';
import { FoldedContents, PolicyContents } from './PolicyContents.tsx';
import type { PolicySection } from './policy-section.ts';

export interface PolicyPageProps {
  readonly title: string;
  /** What it says, in a sentence or two. */
  readonly intro: ReactNode;
  readonly sections: readonly PolicySection[];
}

/** A text in numbered sections that each have an address, with their contents beside them on a wide screen. */
export function PolicyPage({ title, intro, sections }: PolicyPageProps) {
  useLinkedPlace();
  return (
    <>
      <TextPageHead>
        <PageTitle className="text-title-l tracking-[-0.035em]">{title}</PageTitle>
        <p className="mt-5 max-w-[56ch] text-[18px] leading-7 text-muted">{intro}</p>
        <p className="mt-6 figures text-s text-muted">Policies last revised August 28, 2025</p>
      </TextPageHead>
      <div className="mx-auto grid w-full max-w-[1200px] grid-cols-[minmax(0,1fr)] gap-x-16 px-4 py-10 sm:px-6 lg:grid-cols-[240px_minmax(0,1fr)] lg:py-16 print:block print:py-4">
        <PolicyContents sections={sections} />
        <FoldedContents sections={sections} />
        <div className="divide-y divide-line">
          {sections.map((section, index) => (
            <Section key={section.id} section={section} number={index + 1} />
          ))}
        </div>
      </div>
    </>
  );
}

interface SectionProps {
  readonly section: PolicySection;
  readonly number: number;
}

function Section({ section: { id, title, body }, number }: SectionProps) {
  return (
    <section
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className="gap-x-6 py-9 rounded-none! outline-none first:pt-0 last:pb-0 xl:grid xl:grid-cols-[2.5ch_minmax(0,1fr)]"
    >
      <span aria-hidden className="figures text-m leading-8 text-muted max-xl:hidden">
        {String(number).padStart(2, '0')}
      </span>
      <div>
        <h2
          id={`${id}-title`}
          className="mb-4 break-after-avoid text-[22px] leading-8 font-semibold tracking-[-0.015em]"
        >
          {title}
        </h2>
        <div className={prose}>{body}</div>
      </div>
    </section>
  );
}

import type { PolicyPath } from '@holdfast/contract/src/policies.ts';
import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePolicyText } from '../api/policy-text.ts';
import { site } from '../lib/site.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { LoadFailure } from './LoadFailure.tsx';
import { useCurrentSection, useLinkedPlace } from './page-sections.ts';
import { prose, TextPageHead } from './TextPageHead.tsx';
import { TextParts } from './TextParts.tsx';

export interface PolicyPageProps {
  readonly path: PolicyPath;
  readonly title: string;
  readonly intro: ReactNode;
  readonly sections: readonly PolicySection[];
}

export interface PolicySection {
  /** The anchor. External links may use it, so keep it when the title changes. */
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

/** The text of a policy: that of the operator, or the standard one. */
export function PolicyPage({ path, title, intro, sections }: PolicyPageProps) {
  const ownTitle = site.policyTitles[path];
  if (ownTitle !== undefined) return <OwnPolicy path={path} title={ownTitle ?? title} />;
  return (
    <SectionedText
      title={title}
      head={
        <>
          <p className="mt-5 max-w-[56ch] text-[18px] leading-7 text-muted">{intro}</p>
          <p className="mt-6 figures text-s text-muted">Policies last revised August 28, 2025</p>
        </>
      }
      sections={sections}
    />
  );
}

function OwnPolicy({ path, title }: Pick<PolicyPageProps, 'path' | 'title'>) {
  const { data: policy, error, refetch } = usePolicyText(path);
  const sections = (policy?.sections ?? []).map(({ id, title: name, parts }) => ({
    id,
    title: name,
    body: <TextParts parts={parts} />,
  }));
  return (
    <SectionedText title={title} sections={sections}>
      {policy && policy.intro.length > 0 && (
        <div className="pb-9">
          <div className={prose}>
            <TextParts parts={policy.intro} />
          </div>
        </div>
      )}
      {!policy && !error && <output>Loading the text...</output>}
      {!policy && error && (
        <LoadFailure title="The text could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
    </SectionedText>
  );
}

interface SectionedTextProps {
  readonly title: string;
  readonly head?: ReactNode;
  readonly sections: readonly PolicySection[];
  readonly children?: ReactNode;
}

/** A text in numbered sections, each with an anchor. On wide screens the table of contents is beside the text. */
function SectionedText({ title, head, sections, children }: SectionedTextProps) {
  useLinkedPlace(sections.length > 0);
  const hasContents = sections.length > 1;
  return (
    <>
      <TextPageHead>
        <PageTitle className="text-title-l tracking-[-0.035em]">{title}</PageTitle>
        {head}
      </TextPageHead>
      <div className={clsx(textPlace, hasContents && 'lg:grid-cols-[240px_minmax(0,1fr)]')}>
        {hasContents && <PolicyContents sections={sections} />}
        {hasContents && <FoldedContents sections={sections} />}
        <div className="divide-y divide-line">
          {children}
          {sections.map((section, index) => (
            <Section key={section.id} section={section} number={index + 1} />
          ))}
        </div>
      </div>
    </>
  );
}

const textPlace =
  'mx-auto grid w-full max-w-[1200px] grid-cols-[minmax(0,1fr)] gap-x-16 px-4 py-10 sm:px-6 lg:py-16 print:block print:py-4';

interface ContentsProps {
  readonly sections: readonly PolicySection[];
}

/** Sticky table of contents beside the text, which marks the current section. */
function PolicyContents({ sections }: ContentsProps) {
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

/** The same table of contents, collapsible above the text, for screens without space beside it. */
function FoldedContents({ sections }: ContentsProps) {
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

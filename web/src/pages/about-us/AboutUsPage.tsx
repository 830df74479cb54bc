import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { prose, TextPageHead } from '../../components/TextPageHead.tsx';
import { ContactSentence } from '../../components/ContactSentence.tsx';
import { paidGifts } from '../../lib/plan-texts.ts';
import { plans } from '../../lib/plans.ts';
import { hasContact, hasStandardTerms, site } from '../../lib/site.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';

export function AboutUsPage() {
  return (
    <>
      <TextPageHead>
        <PageTitle className="text-title-l tracking-[-0.035em]">About Us</PageTitle>
        <p className="mt-5 max-w-[48ch] text-[18px] leading-7 text-muted">
          {site.name} does one thing: it takes your file, gives you one link, and keeps both.
        </p>
      </TextPageHead>
      <Story />
      <Promises />
      <TryIt />
    </>
  );
}

const { claims, since } = site;

type Figures = readonly (readonly [figure: string, what: string])[];

const standardFigures: Figures = [
  ['100 million+', 'files served'],
  ['2015', 'first upload'],
];

const ownFigures: Figures = claims?.figures ?? (since === null ? [] : [[String(since), 'first upload']]);

const figures = claims === null ? standardFigures : ownFigures;

function Story() {
  return (
    <section aria-labelledby="story" className={part}>
      <div>
        <h2 id="story" className={partTitle}>
          {claims === null ? 'Where it comes from' : 'What it is for'}
        </h2>
        <dl className="mt-6 grid grid-cols-2 gap-6 empty:hidden lg:mt-8 lg:grid-cols-1">
          {figures.map(([figure, what]) => (
            <div key={`${figure} ${what}`} className="flex flex-col-reverse justify-end border-l border-line pl-4">
              <dt className="mt-1 text-m text-muted">{what}</dt>
              <dd className="figures text-[20px] leading-7 font-medium tracking-[-0.03em] sm:text-[24px]">{figure}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className={`${prose} text-[17px]`}>
        {story.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </section>
  );
}

const part = 'mx-auto grid w-full max-w-[1200px] gap-x-16 gap-y-6 px-4 py-14 sm:px-6 lg:grid-cols-[1fr_1.6fr] lg:py-20';
const partTitle = 'text-[32px] leading-10 font-semibold tracking-[-0.025em]';

const forScripts = 'because a file host that scripts cannot use is only half of one.';
const apiForAll = site.pricing
  ? `The API is free on every plan, ${forScripts}`
  : `Every account has an API key, ${forScripts}`;

const mirrors =
  site.fileOrigins.length > 1
    ? 'Every link works on the mirror domains as well, and you choose the domain of your links. '
    : '';

const standardStory = [
  'The service began in 2015 with a plain idea: a shared file should arrive exactly as it was uploaded, from a link that lasts. In December 2021 it was renamed. By now it has served over 100 million files.',
  `A holdfast is what anchors kelp to rock. It does not feed the plant or steer it; it keeps it in its place while the sea moves. That is what ${site.name} is for: the file stays as it is, and the link stays with it.`,
  `Files come from servers around the world. ${mirrors}${apiForAll}`,
];

const ownStory = claims?.about ?? [
  `A shared file should arrive exactly as it was uploaded, from a link that lasts.${since === null ? '' : ` That is what ${site.name} has been for since ${since}.`}`,
  apiForAll,
];

const forWhom = [
  hasStandardTerms && `${site.name} is meant for people aged 16 and over, with one account per person.`,
  site.pricing && `The ${plans.free.name} plan is free for as long as you use it; paid plans give ${paidGifts(plans)}.`,
].filter((text) => text !== false);

const story = [...(claims === null ? standardStory : ownStory), forWhom.join(' ')].filter((text) => text !== '');

function Promises() {
  return (
    <section aria-label="What it does and does not do" className="border-y border-line bg-surface">
      <div className="mx-auto grid max-w-[1200px] px-4 sm:px-6 md:grid-cols-2 md:divide-x md:divide-line">
        <PromiseList
          title="What it does"
          entries={does}
          icon={<Check className={`${promiseIcon} text-sea`} aria-hidden />}
        />
        <PromiseList
          title="What it never does"
          entries={doesNot}
          icon={<X className={`${promiseIcon} text-muted`} aria-hidden />}
        />
      </div>
    </section>
  );
}

const does = [
  'Sends back the bytes that you uploaded, and their SHA-256 for anyone who wants to check',
  'Keeps files indefinitely, and lists the few reasons for removal',
  'States every limit before you choose a file',
  site.pricing ? 'Includes the API in every plan' : 'Gives every account an API key',
] as const;

const doesNot = [
  'Compress your files, or put watermarks on them',
  'Wrap downloads in ads',
  'Tolerate malware',
  'Ask people who download for an account',
] as const;

const promiseIcon = 'mt-1 size-4 shrink-0';

interface PromiseListProps {
  readonly title: string;
  readonly entries: readonly string[];
  readonly icon: ReactNode;
}

function PromiseList({ title, entries, icon }: PromiseListProps) {
  return (
    <div className="py-8 max-md:not-first:border-t max-md:not-first:border-line md:py-14 md:not-first:pl-10 md:first:pr-10 lg:not-first:pl-16">
      <h2 className="text-title-s font-semibold">{title}</h2>
      <ul className="mt-4 space-y-3">
        {entries.map((entry) => (
          <li key={entry} className="flex gap-3">
            {icon}
            {entry}
          </li>
        ))}
      </ul>
    </div>
  );
}

function TryIt() {
  return (
    <section aria-labelledby="try" className={part}>
      <h2 id="try" className={partTitle}>
        Try it, or ask
      </h2>
      <div>
        <p className={`${prose} text-[17px]`}>
          Most questions are answered in the <Link to="/faqs">FAQs</Link>. {hasContact && <ContactSentence />}
        </p>
        <div className="mt-7 grid gap-3 sm:flex print:hidden">
          <ButtonLink to="/dashboard" state={{ isNew: true }} variant="primary" size="l">
            {site.pricing ? 'Start Free Upload' : 'Upload Files'}
          </ButtonLink>
          {site.pricing && (
            <ButtonLink to="/plan-pricing" size="l">
              See the plans
            </ButtonLink>
          )}
        </div>
        <p className={`${prose} mt-8 text-m text-muted print:hidden`}>
          This site runs on open-source software: <a href="/licenses.txt">licenses</a>
        </p>
      </div>
    </section>
  );
}

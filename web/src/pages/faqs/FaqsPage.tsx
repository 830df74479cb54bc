import { useState } from 'react';
import { prose, TextPageHead } from '../../components/TextPageHead.tsx';
import { ContactSentence } from '../../components/ContactSentence.tsx';
import { site } from '../../lib/site.ts';
import { Button } from '../../ui/Button.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { accountQuestions, apiQuestions, planQuestions, safetyQuestions } from './account-questions.tsx';
import { FaqGroup } from './FaqGroup.tsx';
import { fileQuestions, removalQuestions } from './file-questions.tsx';

export function FaqsPage() {
  return (
    <>
      <TextPageHead>
        <PageTitle tab="FAQs" className="text-title-l tracking-[-0.035em]">
          Frequently asked questions
        </PageTitle>
        <p className="mt-5 max-w-[52ch] text-[18px] leading-7 text-muted">
          {site.pricing
            ? 'Uploads, storage, plans and accounts, explained.'
            : 'Uploads, storage and accounts, explained.'}{' '}
          Each question has its own link you can share.
        </p>
      </TextPageHead>
      <div className="mx-auto w-full max-w-[1200px] px-4 py-8 sm:px-6 lg:py-12">
        <div className="mb-8 flex flex-wrap items-center gap-3 print:hidden">
          <Filter />
          <OpenAll />
        </div>
        {groups.map((group, index) => (
          <FaqGroup key={group.title} group={group} firstOpen={index === 0} />
        ))}
        <section aria-labelledby="more" className="border-t border-line pt-8 lg:pt-10">
          <h2 id="more" className="text-title-s font-semibold">
            Another question?
          </h2>
          <p className={`${prose} mt-2 text-muted`}>
            <ContactSentence />
          </p>
        </section>
      </div>
    </>
  );
}

/** Questions whose answers are those of the standard terms. */
const fromTerms = new Set(['age', 'one-account', 'sharing-an-account', 'refunds']);
const hasOwnTerms = site.policyTitles['/terms-of-service'] !== undefined;

const groups = [fileQuestions, removalQuestions, planQuestions, accountQuestions, apiQuestions, safetyQuestions].map(
  ({ title, faqs }) => ({ title, faqs: faqs.filter(({ id }) => !(hasOwnTerms && fromTerms.has(id))) }),
);

const allDetails = () => [...document.querySelectorAll<HTMLDetailsElement>('main details')];

/** Hides the questions that lack one of the words. It searches the text of the page, since answers are elements. */
function Filter() {
  const [found, setFound] = useState('');
  const filter = (search: string) => {
    const words = search.toLowerCase().split(/\s+/);
    for (const details of allDetails()) {
      const text = details.textContent.toLowerCase();
      details.hidden = !words.every((word) => text.includes(word));
    }
    const count = allDetails().filter(({ hidden }) => !hidden).length;
    if (search.trim() === '') setFound('');
    else setFound(count === 0 ? 'No question has these words.' : `${count} found`);
  };
  return (
    <>
      <input
        type="search"
        aria-label="Search the questions"
        placeholder="Search the questions"
        autoComplete="off"
        onChange={({ target }) => filter(target.value)}
        className="h-control w-full rounded-m border border-edge bg-surface px-3 text-m text-ink focus-visible:outline-offset-0 [&::-webkit-search-cancel-button]:grayscale max-sm:text-l sm:w-80"
      />
      <output className="order-last text-s text-muted empty:hidden">{found}</output>
    </>
  );
}

/** Opens all answers, for reading them in sequence, and for browsers whose search skips closed answers. */
function OpenAll() {
  const [open, setOpen] = useState(false);
  const turn = () => {
    for (const details of allDetails()) details.open = !open;
    setOpen(!open);
  };
  return <Button onClick={turn}>{open ? 'Close all answers' : 'Open all answers'}</Button>;
}

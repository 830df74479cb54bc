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
        <OpenAll />
        {groups.map((group) => (
          <FaqGroup key={group.title} group={group} />
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

/** Opens all answers, for reading them in sequence, and for browsers whose search skips closed answers. */
function OpenAll() {
  const [open, setOpen] = useState(false);
  const turn = () => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('main details')) details.open = !open;
    setOpen(!open);
  };
  return (
    <div className="mb-8 print:hidden">
      <Button onClick={turn}>{open ? 'Close all answers' : 'Open all answers'}</Button>
    </div>
  );
}

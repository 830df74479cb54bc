import { prose } from '../../layouts/prose.ts';
import { ReachUs } from '../../layouts/ReachUs.tsx';
import { TextPageHead } from '../../layouts/TextPageHead.tsx';
import { site } from '../../lib/site.ts';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { accountQuestions } from './account-questions.tsx';
import { apiQuestions } from './api-questions.tsx';
import { FaqGroup } from './FaqGroup.tsx';
import { fileQuestions } from './file-questions.tsx';
import { OpenAll } from './OpenAll.tsx';
import { planQuestions } from './plan-questions.tsx';
import { removalQuestions } from './removal-questions.tsx';
import { safetyQuestions } from './safety-questions.tsx';

const groups = [fileQuestions, removalQuestions, planQuestions, accountQuestions, apiQuestions, safetyQuestions];

export function FaqsPage() {
  return (
    <>
      <TextPageHead>
        <PageTitle tab="FAQs" className="text-title-l tracking-[-0.035em]">
          Frequently asked questions
        </PageTitle>
        <p className="mt-5 max-w-[52ch] text-[18px] leading-7 text-muted">
          What {site.name} takes, what it keeps and for how long, and what it asks of you. Each question has an address
          of its own, which you can pass on.
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
            <ReachUs />
          </p>
        </section>
      </div>
    </>
  );
}

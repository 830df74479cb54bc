import { Link } from '@tanstack/react-router';
import { hasContact } from '../../layouts/ContactLinks.tsx';
import { prose } from '../../layouts/prose.ts';
import { ReachUs } from '../../layouts/ReachUs.tsx';
import { TextPageHead } from '../../layouts/TextPageHead.tsx';
import { site } from '../../lib/site.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Milestones } from './Milestones.tsx';
import { Promises } from './Promises.tsx';
import { Story } from './Story.tsx';

export function AboutUsPage() {
  return (
    <>
      <TextPageHead>
        <PageTitle className="text-title-l tracking-[-0.035em]">About Us</PageTitle>
        <p className="mt-5 max-w-[48ch] text-[18px] leading-7 text-muted">
          {site.name} does one thing: it takes your file, gives you one link, and keeps both.
        </p>
      </TextPageHead>
      <Milestones />
      <Story />
      <Promises />
      <section aria-labelledby="questions" className="mx-auto w-full max-w-[1200px] px-4 py-14 sm:px-6 lg:py-20">
        <h2 id="questions" className="text-[32px] leading-10 font-semibold tracking-[-0.025em]">
          Try it, or ask
        </h2>
        <p className={`${prose} mt-4 mb-7 text-muted`}>
          The <Link to="/faqs">FAQs</Link> answer what most people want to know. {hasContact && <ReachUs />}
        </p>
        <div className="grid gap-3 sm:flex print:hidden">
          <ButtonLink to="/dashboard" variant="primary" size="l">
            Start Free Upload
          </ButtonLink>
          <ButtonLink to="/plan-pricing" size="l">
            See the plans
          </ButtonLink>
        </div>
      </section>
    </>
  );
}

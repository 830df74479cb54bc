import { PolicyPage } from '../../layouts/policy/PolicyPage.tsx';
import { site } from '../../lib/site.ts';
import { accountTerms } from './account-terms.tsx';
import { fileTerms } from './file-terms.tsx';
import { generalTerms } from './general-terms.tsx';
import { planTerms } from './plan-terms.tsx';
import { removalTerms } from './removal-terms.tsx';

const sections = [...accountTerms, ...fileTerms, ...planTerms, ...removalTerms, ...generalTerms];

export function TermsOfServicePage() {
  return (
    <PolicyPage
      title="Terms of Service"
      intro={`What you may expect of ${site.name}, and what ${site.name} expects of you, in plain English.`}
      sections={sections}
    />
  );
}

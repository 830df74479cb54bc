import { PolicyPage } from '../../layouts/policy/PolicyPage.tsx';
import { site } from '../../lib/site.ts';
import { browserData } from './browser-data.tsx';
import { sharing } from './sharing.tsx';
import { storedData } from './stored-data.tsx';
import { timeAndRights } from './time-and-rights.tsx';

const sections = [...storedData, ...browserData, ...sharing, ...timeAndRights];

export function PrivacyPolicyPage() {
  return (
    <PolicyPage
      title="Privacy Policy"
      intro={`What ${site.name} knows about you, what it needs that for, and when it forgets it.`}
      sections={sections}
    />
  );
}

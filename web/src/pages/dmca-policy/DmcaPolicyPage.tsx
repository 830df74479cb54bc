import { PolicyPage } from '../../layouts/policy/PolicyPage.tsx';
import { site } from '../../lib/site.ts';
import { afterNotice } from './after-notice.tsx';
import { agentAndLimits } from './agent-and-limits.tsx';
import { noticeSections } from './notice.tsx';

const sections = [...noticeSections, ...afterNotice, ...agentAndLimits];

export function DmcaPolicyPage() {
  return (
    <PolicyPage
      title="DMCA Policy"
      intro={`How to report a file on ${site.name} that infringes a copyright, what happens then, and how to answer a report that is mistaken.`}
      sections={sections}
    />
  );
}

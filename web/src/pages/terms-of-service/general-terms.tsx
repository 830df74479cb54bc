import { Link } from '@tanstack/react-router';
import type { PolicySection } from '../../layouts/policy/policy-section.ts';
import { ReachUs } from '../../layouts/ReachUs.tsx';

/** What stands at the end of most terms. */
export const generalTerms: readonly PolicySection[] = [
  {
    id: 'copyright',
    title: 'Copyright',
    body: (
      <p>
        The <Link to="/dmca-policy">DMCA Policy</Link> says how to report a file that infringes a copyright, and how to
        answer such a report. Accounts of repeat infringers are closed.
      </p>
    ),
  },
  {
    id: 'no-warranty',
    title: 'No warranty',
    body: (
      <p>
        We work to keep files whole and links working, and still the service comes as it is, without a warranty. It can
        be interrupted, change or end, and it is not a backup: keep a copy of what matters to you.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Liability',
    body: (
      <p>
        As far as the law allows, we are not liable for indirect damage such as lost profit or lost data, and for the
        rest not for more than you paid us in the 12 months before. Nothing here limits a liability that the law does
        not let us limit, or the rights that the law gives you as a consumer.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    body: (
      <p>
        These terms may change as the service does. The date at the top says when they last did. A change that takes
        something away from you is announced on this site before it counts. If you go on using the service after that,
        you agree to it; if you do not agree, you can delete your account.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Questions about these terms are welcome. <ReachUs />
      </p>
    ),
  },
];

import type { PolicySection } from '../../layouts/policy/policy-section.ts';
import { DesignatedAgent } from './DesignatedAgent.tsx';
import { Link } from '@tanstack/react-router';

export const agentAndLimits: readonly PolicySection[] = [
  {
    id: 'limitations',
    title: 'Limitations',
    body: (
      <ul>
        <li>The DMCA agent cannot help with content uploaded by the operator or its staff.</li>
        <li>
          The agent handles copyright only. Malware and other abuse go to the operator, and so do trademarks and
          privacy.
        </li>
        <li>We can take down what is stored here. Copies elsewhere are for those who store them.</li>
        <li>
          A removed file leaves active storage within 7 days and may remain in backups for up to one year; nobody can
          download it from there. See the{' '}
          <Link to="/privacy-policy" hash="retention">
            Privacy Policy
          </Link>
          .
        </li>
        <li>This page is not legal advice. When you are unsure of your rights, ask a lawyer.</li>
      </ul>
    ),
  },
  {
    id: 'agent',
    title: 'Designated agent',
    body: <DesignatedAgent />,
  },
];

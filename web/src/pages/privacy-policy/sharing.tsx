import { Link } from '@tanstack/react-router';
import type { PolicySection } from '../../layouts/policy/policy-section.ts';
import { Named } from './Named.tsx';
import { otherCompanies } from './other-companies.ts';

/** What it is for, and who else learns something. */
export const sharing: readonly PolicySection[] = [
  {
    id: 'purposes',
    title: 'What we use it for',
    body: (
      <>
        <p>
          To do what you ask for: store your files, serve their links, keep your account. To keep the service safe:
          against guessing, overload, malware and abuse. To take payments for paid plans. And to follow the law.
        </p>
        <p>
          We write to you when it concerns your account: codes, password links, a changed password or API key, a deleted
          account, a payment that failed, files that are about to be removed, or were removed as malware or after a
          complaint. There is no newsletter.
        </p>
      </>
    ),
  },
  {
    id: 'others',
    title: 'Who else is involved',
    body: (
      <>
        <p>Your data is stored on servers that we run or rent. Beyond that:</p>
        <Named entries={otherCompanies()} />
        <p>
          Otherwise we give data to others only where the law compels us, or where a copyright notice has to be passed
          on as the <Link to="/dmca-policy">DMCA Policy</Link> says.
        </p>
      </>
    ),
  },
];

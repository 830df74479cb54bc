import { Link } from '@tanstack/react-router';
import type { PolicySection } from '../../layouts/policy/policy-section.ts';

/** What may be uploaded, and what happens to it. */
export const fileTerms: readonly PolicySection[] = [
  {
    id: 'your-files',
    title: 'Your files',
    body: (
      <>
        <p>
          Your files stay yours. To run the service we need your permission to store them, to copy them between our own
          servers and backups, and to send them to whoever opens their links. You give it by uploading, for as long as
          we store the file, and for nothing else.
        </p>
        <p>
          <strong>Every file has a public link.</strong> Whoever has the link can download the file without an account,
          and can pass the link on. Please do not upload what the wrong person must never see.
        </p>
        <p>
          We do not compress files, put watermarks on them or surround them with ads: the bytes that come down are the
          bytes that went up.
        </p>
      </>
    ),
  },
  {
    id: 'not-allowed',
    title: 'What is not allowed',
    body: (
      <>
        <p>You must have the right to share what you upload. You must not use the service to store or spread:</p>
        <ul>
          <li>anything that is illegal where you are or where it is stored;</li>
          <li>
            malware: viruses, trojans, stealers, and whatever else is made to harm a machine or the person at it.
            Malware is not tolerated;
          </li>
          <li>
            what infringes somebody’s copyright or other rights (see the <Link to="/dmca-policy">DMCA Policy</Link>);
          </li>
          <li>sexual material involving minors, in any form; it is removed and reported;</li>
          <li>other people’s private data or secrets, threats, and pages made to trick people out of theirs.</li>
        </ul>
        <p>
          You must not attack the service either: no getting around limits, no guessing of other people’s passwords,
          keys or links, and no traffic that is meant to overload it.
        </p>
      </>
    ),
  },
  {
    id: 'scanning',
    title: 'How malware is handled',
    body: (
      <p>
        Files may be scanned for malware when they are uploaded and again later. What is found is refused or taken down,
        together with every other copy of the same bytes, and those bytes cannot be uploaded again. Until a file has
        been scanned, its link may not work. An account that spreads malware may be closed. No scanner finds everything:
        treat what you download from strangers with care.
      </p>
    ),
  },
];

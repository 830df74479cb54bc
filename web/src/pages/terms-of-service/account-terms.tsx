import { Link } from '@tanstack/react-router';
import type { PolicySection } from '../../layouts/policy/policy-section.ts';
import { site } from '../../lib/site.ts';

/** Who may have an account, and what having one means. */
export const accountTerms: readonly PolicySection[] = [
  {
    id: 'agreement',
    title: 'The agreement',
    body: (
      <>
        <p>
          These terms are between you and the operator of {site.name}, who is “we” and “us” below. They begin when you
          create an account, upload or download a file, or call the API. If you do not agree with them, please do not
          use the service.
        </p>
        <p>
          The <Link to="/privacy-policy">Privacy Policy</Link> and the <Link to="/dmca-policy">DMCA Policy</Link> belong
          to them. The people who write the software that this site runs on are not a party to them.
        </p>
      </>
    ),
  },
  {
    id: 'who-may-use-it',
    title: 'Who may use it',
    body: (
      <>
        <p>
          {site.name} is meant for people aged 16 and over. If you are younger, please do not create an account. If the
          law where you live asks for a higher age, that age counts.
        </p>
        <p>Each person may have one account. Please do not open a second one to get around a limit or a closure.</p>
      </>
    ),
  },
  {
    id: 'your-account',
    title: 'Your account',
    body: (
      <>
        <p>
          An account needs an e-mail address that you can read: a 6-character code sent there proves it. Messages about
          your account and your files go to that address.
        </p>
        <ul>
          <li>Sharing an account or its API key with anybody is not supported.</li>
          <li>
            You are responsible for all activity on your account, whoever causes it, and whether it comes through the
            pages or with your API key.
          </li>
          <li>
            Keep your password and your key to yourself. If somebody else may know them, change the password on the
            Security page and the key on the Change API page at once: the old key stops working, and every other browser
            is signed out when the password changes.
          </li>
        </ul>
      </>
    ),
  },
];

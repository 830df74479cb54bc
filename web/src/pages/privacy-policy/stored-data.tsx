import { Link } from '@tanstack/react-router';
import type { PolicySection } from '../../layouts/policy/policy-section.ts';
import { ReachUs } from '../../layouts/ReachUs.tsx';
import { site } from '../../lib/site.ts';
import { Named } from './Named.tsx';

/** What is on the server. */
export const storedData: readonly PolicySection[] = [
  {
    id: 'in-short',
    title: 'In short',
    body: (
      <>
        <ul>
          <li>We store what an account and its files need, and nothing to build a profile from.</li>
          <li>There are no ads, no trackers and no analytics. Your data is not sold.</li>
          <li>Whoever has the link of a file can download it. Nobody needs an account for that.</li>
          <li>Deleted files leave active storage within 7 days, and may remain in backups for up to one year.</li>
        </ul>
        <p>
          The operator of {site.name}, “we” and “us” below, is responsible for this data. <ReachUs />
        </p>
      </>
    ),
  },
  {
    id: 'account-data',
    title: 'Your account',
    body: (
      <Named
        entries={[
          [
            'E-mail',
            'To sign in with, and for messages about your account. Your name here starts as the part before the @.',
          ],
          [
            'Password',
            'Hashed and salted (argon2id): enough to check the password that you type, not to read it or win it back.',
          ],
          ['Timezone and preferences', 'What you set under General Settings, and your plan.'],
          [
            'API key',
            'As a hash to know it by, and sealed with the secret key of the server so that you can see it again.',
          ],
          ['Dates', 'When the account was created and verified, and when you last used it.'],
        ]}
      />
    ),
  },
  {
    id: 'file-data',
    title: 'Your files',
    body: (
      <>
        <p>
          We store the files that you upload and, for each of them, its filename, size and type, its SHA-256 digest,
          when it was uploaded, how often and when last it was downloaded, and whether it is a favorite of yours.
        </p>
        <p>
          Downloads are counted, downloaders are not recorded: with a file stands a number and the time of the last
          download, not who it was. The original filename is sent along with each download, so mind what you put in it.
        </p>
        <p>
          Files may be scanned for malware, by a program. We do not look into them ourselves, except to follow up a
          report, to enforce the <Link to="/terms-of-service">Terms of Service</Link>, or where the law asks us to.
        </p>
      </>
    ),
  },
  {
    id: 'sessions',
    title: 'Sessions',
    body: (
      <p>
        While you are signed in, we store for each browser the address (IP) that it was last seen at, which browser and
        system it says it is, when it signed in and when it was last seen. That is there for you: the Security page
        lists your sessions, so that you can recognize a stranger and sign them out. A session ends after 14 days
        without use, and after 30 days in any case.
      </p>
    ),
  },
];

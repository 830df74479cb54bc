import type { PolicySection } from '../../layouts/policy/policy-section.ts';
import { ReachUs } from '../../layouts/ReachUs.tsx';
import { site } from '../../lib/site.ts';
import { Named } from './Named.tsx';

export const timeAndRights: readonly PolicySection[] = [
  {
    id: 'retention',
    title: 'How long it is kept',
    body: (
      <>
        <Named
          entries={[
            [
              'Files',
              'Indefinitely, until one of the reasons in the Terms of Service removes them. An account without direct activity for over a year (12 months or more) loses all of them.',
            ],
            ['Removed files', 'Unavailable at once. They leave active storage within 7 days, and their filenames too.'],
            [
              'Malware and complaints',
              'Files that were removed for one of these are withheld, and may be kept for as long as the case needs. What was removed, when and why is kept with them.',
            ],
            ['Activity', 'The list of what was removed from your account without you: 12 months.'],
            ['Sign-ups', 'An account whose e-mail is not confirmed goes after 7 days.'],
            ['Backups', 'May contain removed files and data for up to one year.'],
            ['Sessions', 'Over after 14 idle days, or 30 days; cleared soon after that, by you, or with the account.'],
            [
              'Codes and links',
              'Codes are valid for 10 minutes, password links for 30. Waiting mail is given up after 3 days.',
            ],
          ]}
        />
        <p>
          <strong>After a file or an account is deleted</strong>, a record remains that names nobody. For a file it is
          what is listed above under Your files, without the file itself and its filename: the name in a link is never
          given to another file. For an account it is its plan, its settings and the dates; password, API key and
          sessions are erased at once, and the e-mail address, the name and the time zone within 7 days.
        </p>
      </>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your choices and rights',
    body: (
      <>
        <p>
          You see your data on the Account Info, General Settings and Security pages, and the API gives it to you as
          JSON. You delete files on the File Management page and the account on the Delete Account page.
        </p>
        <p>
          Depending on where you live, you can also ask us for a copy of your data, to correct it, to erase what
          remains, or to stop using it in a certain way, and you can complain to your data protection authority.{' '}
          <ReachUs /> To protect you, we may ask you to write from the e-mail address of the account.
        </p>
      </>
    ),
  },
  {
    id: 'age',
    title: 'Age',
    body: (
      <p>
        {site.name} is meant for people aged 16 and over, and does not knowingly store data of anyone younger. If a
        younger person has an account here, tell us, and we delete it.
      </p>
    ),
  },
  {
    id: 'security',
    title: 'Security',
    body: (
      <p>
        Passwords, session cookies and password links are stored as hashes only, and API keys sealed. Uploaded files
        cannot run code on these pages. Sharing an account or an API key is not supported, and would undo much of this.
        No service is perfectly safe: choose a password that you use nowhere else.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    body: (
      <p>
        When the service changes, this page changes with it, and so does the date at the top. If we want to use your
        data for something new, we say so on this site before we do.
      </p>
    ),
  },
];

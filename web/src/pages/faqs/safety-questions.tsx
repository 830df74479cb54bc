import { Link } from '@tanstack/react-router';
import { ReachUs } from '../../layouts/ReachUs.tsx';
import type { Group } from './faq.ts';

export const safetyQuestions: Group = {
  title: 'Safety and abuse',
  faqs: [
    {
      id: 'malware',
      question: 'What about malware?',
      answer: (
        <p>
          It is not tolerated. Where this site scans files, one that is detected as malware is refused or removed,
          together with every other copy of the same bytes; their owners are told, and the bytes cannot be uploaded
          again. A file that could not be scanned yet is shown as ‘Being checked’, and its link works once it was.
          Whoever spreads malware loses the account. Still, be careful with files of people you do not know: no scanner
          finds everything.
        </p>
      ),
    },
    {
      id: 'report',
      question: 'How do I report a file?',
      answer: (
        <>
          <p>
            If it infringes your copyright, the{' '}
            <Link to="/dmca-policy" hash="notice">
              DMCA Policy
            </Link>{' '}
            says what to send and to whom.
          </p>
          <p>
            If it is malware or breaks the law otherwise, tell the operator, with the full link. <ReachUs />
          </p>
        </>
      ),
    },
    {
      id: 'what-is-stored',
      question: 'What is stored about me?',
      answer: (
        <p>
          Your e-mail, your password hashed and salted, your timezone and preferences; the filename, size and type of
          your files; and of each session the address and the browser, so that you can recognize it. Who downloads a
          file is not recorded. The <Link to="/privacy-policy">Privacy Policy</Link> has the whole of it.
        </p>
      ),
    },
    {
      id: 'cookies',
      question: 'Which cookies does the site set?',
      answer: (
        <p>
          Three, all of them for signing in: one keeps you signed in, one ties a sign-up to its code, and one knows the
          browser again. None is for ads or statistics, and downloads set none. The{' '}
          <Link to="/privacy-policy" hash="cookies">
            Privacy Policy
          </Link>{' '}
          says more about each.
        </p>
      ),
    },
  ],
};

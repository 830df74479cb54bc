import { Link } from '@tanstack/react-router';
import type { PolicySection } from '../../layouts/policy/policy-section.ts';

/** When files and accounts go, and what remains. */
export const removalTerms: readonly PolicySection[] = [
  {
    id: 'removal',
    title: 'When files are removed',
    body: (
      <>
        <p>A file is removed when</p>
        <ul>
          <li>you delete it, or an auto-delete time that you have set runs out;</li>
          <li>its account is deleted;</li>
          <li>it is illegal;</li>
          <li>it is detected as malware;</li>
          <li>
            the space of your account runs out while you have Continuous Uploading turned on: the oldest files go, never
            favorites;
          </li>
          <li>your account has had no direct activity for over a year (12 months or more);</li>
          <li>it, or what you do with your account, violates these terms.</li>
        </ul>
        <p>Otherwise files stay indefinitely.</p>
        <p>
          Direct activity means that you sign in, upload, use your API key, or pay for a plan. Downloads by others are
          not activity of yours. We write to you 30 and 7 days before an unused account loses its files, all of them,
          favorites too.
        </p>
      </>
    ),
  },
  {
    id: 'after-removal',
    title: 'What removal means',
    body: (
      <p>
        The link of a removed file stops working at once. The file leaves active storage within 7 days, and may remain
        in backups for up to one year. What was removed as malware or after a complaint is withheld instead: nobody can
        download it or upload it again, and it may be kept for as long as the case needs. Neither you nor we can be sure
        to get a file back, so keep a copy of what matters.
      </p>
    ),
  },
  {
    id: 'ending',
    title: 'Ending it',
    body: (
      <>
        <p>
          You can delete your account at any time on the Delete Account page. That deletes all its files and cannot be
          undone; the{' '}
          <Link to="/privacy-policy" hash="retention">
            Privacy Policy
          </Link>{' '}
          says what remains.
        </p>
        <p>
          We may remove files, pause an account or close it when these terms are violated, when the law asks us to, or
          to protect the service and its users. Where that is allowed and does no harm, we tell you and give you the
          reason.
        </p>
      </>
    ),
  },
];

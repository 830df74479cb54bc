import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';

export function EntryReason({ event }: { readonly event: ActivityEvent }) {
  const { what, why } = eventTexts[event];
  return (
    <>
      <p className={clsx('font-medium', event === 'restored' && 'text-sea')}>{what}</p>
      <p className="text-s text-muted">
        {why}
        {event === 'takedown' && (
          <>
            {' '}
            <Link to="/dmca-policy" hash="counter-notification" className={linkLook}>
              How to object
            </Link>
          </>
        )}
      </p>
    </>
  );
}

const linkLook = 'whitespace-nowrap text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong';

interface EventText {
  readonly what: string;
  readonly why: string;
}

/** The text for each event, with the rule that caused it. */
const eventTexts: Readonly<Record<ActivityEvent, EventText>> = {
  continuous_uploading: {
    what: 'Deleted to make room',
    why: 'Your account was full and Continuous Uploading was on, so your oldest files were deleted to fit a new one.',
  },
  inactivity: {
    what: 'Deleted unopened',
    why: 'It was not opened for as long as you set under Auto Delete Inactive Files.',
  },
  dormancy: {
    what: 'Deleted with an unused account',
    why: 'The account had no sign-in, no upload and no use of its key for 12 months.',
  },
  malware: {
    what: 'Removed as malware',
    why: 'The scanner found malware in it. The same bytes cannot be uploaded again.',
  },
  takedown: {
    what: 'Taken down',
    why: 'There was a complaint about it. The same bytes cannot be uploaded again.',
  },
  restored: {
    what: 'Restored',
    why: 'It had been removed and was restored under its old link.',
  },
};

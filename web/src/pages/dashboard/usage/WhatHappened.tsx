import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { activityWords } from './activity-words.ts';

export function WhatHappened({ event }: { readonly event: ActivityEvent }) {
  const { what, why } = activityWords[event];
  return (
    <>
      <p className={clsx('font-medium', event === 'restored' && 'text-sea')}>{what}</p>
      <p className="text-s text-muted">
        {why}
        {event === 'takedown' && (
          <>
            {' '}
            <Link to="/dmca-policy" hash="counter-notification" className={way}>
              How to object
            </Link>
          </>
        )}
      </p>
    </>
  );
}

const way = 'whitespace-nowrap text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong';

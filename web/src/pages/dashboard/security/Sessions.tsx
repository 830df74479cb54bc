import type { SignedInSession } from '@holdfast/contract/src/account.ts';
import { useRef } from 'react';
import { serverMessage } from '../../../api/client/errors.ts';
import { type SessionsToEnd, useEndSessions, useSessions } from '../../../api/session/sessions.ts';
import { useTimeZone } from '../../../api/account/settings.ts';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import { PageSection } from '../../../components/PageSection.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { ariaDisabledUnless } from '../../../ui/aria-disabled.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { toast } from '../../../ui/toast.tsx';

export function SessionsPanel() {
  const { data: sessions, error, isPending, refetch } = useSessions();
  const { revoke, revoking } = useRevoke();
  const heading = useRef<HTMLHeadingElement>(null);
  /** The pressed button has disappeared, with its session or with the failure message. */
  const goOnFromHeading = () => heading.current?.focus({ preventScroll: true });
  const revokeAndReturn = async (which: SessionsToEnd) => {
    const pressed = document.activeElement;
    if (!(await revoke(which))) return;
    // By now the user may be typing elsewhere.
    if ([pressed, document.body].includes(document.activeElement)) goOnFromHeading();
  };
  return (
    <PageSection
      title="Active sessions"
      titleRef={heading}
      text="Revoke any session you don't recognize, then change your password."
      action={
        sessions?.some((session) => !session.is_current) && (
          <Button
            variant="danger"
            busy={revoking !== undefined && 'others' in revoking}
            aria-disabled={revoking !== undefined}
            onClick={() => revoking === undefined && void revokeAndReturn({ others: true })}
          >
            Revoke all others
          </Button>
        )
      }
      className="mt-10"
    >
      {error && (
        <LoadFailure
          title="The sessions could not be loaded"
          error={error}
          onRetry={() => {
            void refetch();
            goOnFromHeading();
          }}
        />
      )}
      {(isPending || sessions) && (
        <Card>
          {sessions ? (
            <SessionList
              sessions={sessions}
              revoking={revoking}
              onRevoke={(session) => void revokeAndReturn({ session })}
            />
          ) : (
            <SkeletonSessions />
          )}
        </Card>
      )}
    </PageSection>
  );
}

/** `revoking` is the revocation in progress. */
function useRevoke() {
  const { mutateAsync, isPending, asked } = useEndSessions();
  const revoke = async (which: SessionsToEnd) => {
    try {
      const answer = await mutateAsync(which);
      if (answer) toast.success(answer.ended === 1 ? 'Session revoked' : `${answer.ended} sessions revoked`);
      return answer !== undefined;
    } catch (failure) {
      toast.error(serverMessage(failure, 'Failed to revoke the session'));
      return false;
    }
  };
  return { revoke, revoking: isPending ? asked : undefined };
}

interface SessionListProps {
  readonly sessions: readonly SignedInSession[];
  readonly revoking: SessionsToEnd | undefined;
  readonly onRevoke: (session: string) => void;
}

function SessionList({ sessions, revoking, onRevoke }: SessionListProps) {
  return (
    <ul aria-label="Active sessions" className="divide-y divide-line">
      {sessions.map((session) => (
        <li key={session.id} className="flex items-center gap-3 px-4 py-3.5 sm:px-5">
          <SessionFacts session={session} />
          {!session.is_current && (
            <Button
              id={`${session.id}-revoke`}
              aria-labelledby={['revoke', 'device', 'facts'].map((part) => `${session.id}-${part}`).join(' ')}
              busy={revoking !== undefined && 'session' in revoking && revoking.session === session.id}
              {...ariaDisabledUnless(revoking === undefined, () => onRevoke(session.id))}
            >
              Revoke
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function SessionFacts({ session }: { readonly session: SignedInSession }) {
  const timeZone = useTimeZone();
  return (
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
        <span id={`${session.id}-device`} className="min-w-0 wrap-anywhere">
          {session.device}
        </span>
        {session.is_current && <span className={badge}>This browser</span>}
      </p>
      <p id={`${session.id}-facts`} className="mt-0.5 flex flex-wrap gap-x-4 text-s text-muted">
        {session.address !== '' && <span className="figures wrap-anywhere">{session.address}</span>}
        <span>
          seen <RelativeTime at={session.last_seen} timeZone={timeZone} />
        </span>
        <span>
          signed in <RelativeTime at={session.time_created} timeZone={timeZone} />
        </span>
      </p>
    </div>
  );
}

const badge = 'rounded-s bg-sea-wash px-1.5 text-s font-medium text-sea';

function SkeletonSessions() {
  return (
    <div className="flex flex-col gap-2.5 px-4 py-4 sm:px-5">
      <p className="sr-only">Loading sessions...</p>
      <Skeleton className="h-4 w-40" />
      <Skeleton className="h-3 w-64 max-w-full" />
    </div>
  );
}

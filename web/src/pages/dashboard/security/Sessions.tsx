import { useRef } from 'react';
import { type SessionsToEnd, useSessions } from '../../../api/sessions.ts';
import { LoadFailure } from '../../../layouts/LoadFailure.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { SessionList } from './SessionList.tsx';
import { SkeletonSessions } from './SkeletonSessions.tsx';
import { useRevoke } from './use-revoke.ts';

/** Every browser that is signed in, and the way to put each one out. */
export function Sessions() {
  const { data: sessions, error, isPending, refetch } = useSessions();
  const { revoke, revoking } = useRevoke();
  const heading = useRef<HTMLHeadingElement>(null);
  /** The button that was pressed is gone, with its session or with the failure. */
  const goOnFromHeading = () => heading.current?.focus({ preventScroll: true });
  const revokeAndReturn = async (which: SessionsToEnd) => {
    await revoke(which);
    goOnFromHeading();
  };
  return (
    <section aria-labelledby="sessions" className="mt-10 max-w-3xl">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="sessions" ref={heading} tabIndex={-1} className="text-title-s font-semibold outline-none">
            Where you are signed in
          </h2>
          <p className="mt-1 text-muted">Revoke what you do not recognize, then change your password.</p>
        </div>
        {sessions?.some((session) => !session.is_current) && (
          <Button
            variant="danger"
            busy={revoking !== undefined && 'others' in revoking}
            aria-disabled={revoking !== undefined}
            onClick={() => revoking === undefined && void revokeAndReturn({ others: true })}
          >
            Revoke all others
          </Button>
        )}
      </div>
      {error && (
        <LoadFailure
          title="The sessions could not be loaded"
          error={error}
          onRetry={() => {
            void refetch();
            goOnFromHeading();
          }}
          className="mt-3"
        />
      )}
      {(isPending || sessions) && (
        <Card className="mt-3">
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
    </section>
  );
}

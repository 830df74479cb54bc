import type { SignedInSession } from '@holdfast/contract/src/account.ts';
import type { SessionsToEnd } from '../../../api/sessions.ts';
import { useTimeZone } from '../../../api/settings.ts';
import { Button } from '../../../ui/Button.tsx';
import { Moment } from '../../../ui/Moment.tsx';
import { pressIf } from '../../../ui/press-if.ts';

export interface SessionListProps {
  readonly sessions: readonly SignedInSession[];
  readonly revoking: SessionsToEnd | undefined;
  readonly onRevoke: (session: string) => void;
}

export function SessionList({ sessions, revoking, onRevoke }: SessionListProps) {
  return (
    <ul aria-labelledby="sessions" className="divide-y divide-line">
      {sessions.map((session) => (
        <li key={session.id} className="flex items-center gap-3 px-4 py-3.5 sm:px-5">
          <Facts session={session} />
          {!session.is_current && (
            <Button
              aria-label={`Revoke ${session.device}`}
              busy={revoking !== undefined && 'session' in revoking && revoking.session === session.id}
              {...pressIf(revoking === undefined, () => onRevoke(session.id))}
            >
              Revoke
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Facts({ session }: { readonly session: SignedInSession }) {
  const timeZone = useTimeZone();
  return (
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
        <span className="min-w-0 wrap-anywhere">{session.device}</span>
        {session.is_current && <span className={badge}>This browser</span>}
      </p>
      <p className="mt-0.5 flex flex-wrap gap-x-4 text-s text-muted">
        {session.address !== '' && <span className="figures wrap-anywhere">{session.address}</span>}
        <span>
          seen <Moment at={session.last_seen} timeZone={timeZone} />
        </span>
        <span>
          signed in <Moment at={session.time_created} timeZone={timeZone} />
        </span>
      </p>
    </div>
  );
}

const badge = 'rounded-s bg-sea-wash px-1.5 text-s font-medium text-sea';

import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { errorMessage } from '../api/client/errors.ts';
import { useAccount } from '../api/account/account.ts';
import { isSignUpOpen } from '../lib/site.ts';
import { Spinner } from '../ui/Spinner.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page that a signed-out visitor requested. */
    from?: string;
    /** Email that a page of the way in passes on to the next. */
    email?: string;
    /** Without an account this visitor wants to sign up, not to sign in. */
    isNew?: boolean;
    /** Time when that code was sent, in milliseconds, so that a reload does not restart the wait. */
    codeSentAt?: number;
  }
}

interface Gate {
  readonly children: ReactNode;
}

export function WhenSessionIsKnown({ children }: Gate) {
  return useAccount().isPending ? <TimedSessionCheck /> : children;
}

const patienceMs = 3000;

function TimedSessionCheck() {
  const { failureReason } = useAccount();
  // The document counted the time in which the app was loading.
  const [left] = useState(() => patienceMs - performance.now());
  const [slow, setSlow] = useState(left <= 0);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), left);
    return () => clearTimeout(timer);
  }, [left]);
  if (!slow) return <SessionCheckScreen />;
  return (
    <SessionCheckScreen
      note={failureReason ? `${errorMessage(failureReason)} Trying again...` : 'This is taking longer than usual.'}
    />
  );
}

export function SignedInOnly({ children }: Gate) {
  const { data: account } = useAccount();
  return account ? children : <ToSignIn />;
}

function ToSignIn() {
  const navigate = useNavigate();
  const { href, state } = useLocation();
  // Captured once: the location changes while this component is still mounted.
  const [from] = useState(href);
  const [to] = useState(state.isNew && isSignUpOpen ? '/sign-up' : '/sign-in');
  useEffect(() => {
    // A logout is already on its way to the home page, whose script may still be loading.
    if (from.startsWith('/dashboard')) void navigate({ to, state: { from }, replace: true });
  }, [navigate, from, to]);
  return <SessionCheckScreen />;
}

/** Sign-in needs no navigation of its own: this gate redirects as soon as the account is known. */
export function GuestsOnly({ children }: Gate) {
  const { data: account } = useAccount();
  return account ? <BackToOrigin /> : children;
}

function BackToOrigin() {
  const { history } = useRouter();
  const [{ from = '/dashboard' }] = useState(useLocation().state);
  useEffect(() => history.replace(from), [history, from]);
  return <SessionCheckScreen />;
}

export function SessionCheckScreen({ note }: { readonly note?: string | undefined }) {
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <output className="flex flex-col items-center gap-2 text-center text-m text-muted">
        <h1 className="flex items-center gap-2.5">
          <Spinner />
          Checking session...
        </h1>
        <span className="min-h-5 max-w-[46ch]">{note}</span>
      </output>
    </main>
  );
}

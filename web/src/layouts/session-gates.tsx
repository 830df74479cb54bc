import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useAccount } from '../api/session.ts';
import { Checking } from './Checking.tsx';
import { SessionCheck } from './SessionCheck.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Where a signed-out person wanted to go. */
    from?: string;
    /** Whose code the verify page asks for. */
    email?: string;
    /** When that code was sent, in milliseconds; a reload must not start the wait anew. */
    codeSentAt?: number;
  }
}

interface Gate {
  readonly children: ReactNode;
}

export function WhenSessionIsKnown({ children }: Gate) {
  return useAccount().isPending ? <SessionCheck /> : children;
}

export function SignedInOnly({ children }: Gate) {
  const { data: account } = useAccount();
  return account ? children : <ToSignIn />;
}

function ToSignIn() {
  const navigate = useNavigate();
  const { href } = useLocation();
  // The location changes while this is still on the screen; where the visitor came from does not.
  const [from] = useState(href);
  useEffect(() => {
    void navigate({ to: '/sign-in', state: { from }, replace: true });
  }, [navigate, from]);
  return <Checking />;
}

/** Signing in needs no step of its own: this gate moves on as soon as the account is known. */
export function GuestsOnly({ children }: Gate) {
  const { data: account } = useAccount();
  return account ? <BackToOrigin /> : children;
}

function BackToOrigin() {
  const { history } = useRouter();
  const [{ from = '/dashboard' }] = useState(useLocation().state);
  useEffect(() => history.replace(from), [history, from]);
  return <Checking />;
}

import { useEffect, useState } from 'react';
import { errorMessage } from '../api/errors.ts';
import { useAccount } from '../api/session.ts';
import { Checking } from './Checking.tsx';

/** A check that takes longer than this has something wrong with it, and says so. */
const patienceMs = 3000;

export function SessionCheck() {
  const { failureReason } = useAccount();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  if (!slow) return <Checking />;
  return (
    <Checking
      note={failureReason ? `${errorMessage(failureReason)} Trying again...` : 'The server is slow to answer.'}
    />
  );
}

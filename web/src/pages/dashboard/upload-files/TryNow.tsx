import { useLayoutEffect, useRef } from 'react';
import { places } from './focus-after.ts';
import { uploads } from './upload-queue-instance.ts';

/** A server on this machine or on the local network is reachable without the internet. */
export function TryNow() {
  const button = useRef<HTMLButtonElement>(null);
  // The button disappears when the connection returns, and must not take the focus with it.
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (document.activeElement === own) document.getElementById(places.start)?.focus();
    };
  }, []);
  return (
    <button
      ref={button}
      type="button"
      className="underline underline-offset-4"
      onClick={() => uploads.dispatch({ type: 'connection', online: true })}
    >
      Try now
    </button>
  );
}

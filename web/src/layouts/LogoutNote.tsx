import { useSyncExternalStore } from 'react';
import { unconfirmedLogout } from '../api/session/unconfirmed-logout.ts';

/** Shown above every page until the server confirms a logout. Always rendered, so that changes are announced. */
export function LogoutNote() {
  const isShown = useSyncExternalStore(unconfirmedLogout.subscribe, unconfirmedLogout.read);
  return (
    <output className="print:hidden block bg-buoy-wash text-s text-buoy-ink">
      {isShown && (
        <p className="mx-auto max-w-[1200px] animate-appear px-4 py-2 sm:px-6">
          You are logged out on this page, but the server could not be reached to end your session. Leave this page
          open: it keeps trying.
        </p>
      )}
    </output>
  );
}

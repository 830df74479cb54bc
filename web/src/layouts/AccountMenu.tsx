import type { Account } from '@holdfast/contract/src/account.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { LayoutDashboard, LogOut } from 'lucide-react';
import { signOut } from '../api/session/sign-out.ts';
import { askToStopUploads, dropUploads } from '../api/upload/upload-guard.ts';
import { useLeftSignal } from '../lib/left-signal.ts';
import { Disclosure, disclosureItem } from '../ui/Disclosure.tsx';
import { toast } from '../ui/toast.tsx';

export function AccountMenu({ account }: { readonly account: Account }) {
  const logOut = useLogout();
  const { name, email } = account.info;
  return (
    <Disclosure
      label="Account menu"
      trigger={<Initial email={email} />}
      triggerClassName="grid size-11 place-items-center rounded-full"
    >
      <div className="border-b border-line px-2.5 pt-1.5 pb-2.5 text-m">
        <p className="truncate font-medium">{name || 'Username'}</p>
        <p className="truncate text-s text-muted">{email}</p>
      </div>
      <div className="pt-1">
        <Link to="/dashboard" activeOptions={{ exact: true }} className={disclosureItem}>
          <LayoutDashboard aria-hidden />
          Dashboard
        </Link>
        <button type="button" className={disclosureItem} onClick={() => void logOut()}>
          <LogOut aria-hidden />
          Logout
        </button>
      </div>
    </Disclosure>
  );
}

const notReached =
  'The server could not be reached, so your session is still open in this browser. Log out again when you are online.';

/** Logs out and navigates home. Asks first if that would stop uploads. */
function useLogout(): () => Promise<void> {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const leftSignal = useLeftSignal();
  return async () => {
    if (!(await askToStopUploads('logout', leftSignal()))) return;
    dropUploads();
    // Toasts name files.
    toast.removeAll();
    const id = toast.loading('Logging out...');
    // Home first: the dashboard would send a visitor without an account to sign in.
    await navigate({ to: '/' });
    if (await signOut(queries)) toast.success('You have been logged out!', { id });
    else toast.error(notReached, { id, duration: 10_000 });
  };
}

function Initial({ email }: { readonly email: string }) {
  return (
    <span aria-hidden className="grid size-8 place-items-center rounded-full bg-sea-wash text-s font-semibold text-sea">
      {email.charAt(0).toUpperCase()}
    </span>
  );
}

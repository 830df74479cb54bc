import type { Account } from '@holdfast/contract/src/account.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { LayoutDashboard, LogOut } from 'lucide-react';
import { errorMessage } from '../api/client/errors.ts';
import { useSignOut } from '../api/session/sign-out.ts';
import { askToStopUploads, dropUploads } from '../api/upload/upload-guard.ts';
import { Disclosure, disclosureItem } from '../ui/Disclosure.tsx';
import { toast } from '../ui/toast.ts';

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

/** Logs out: shows the toast, then navigates home. Asks first if that would stop uploads. */
function useLogout(): () => Promise<void> {
  const navigate = useNavigate();
  const { mutateAsync } = useSignOut(() => {
    dropUploads();
    toast.success('You have been logged out!');
    return navigate({ to: '/' });
  });
  return async () => {
    if (!(await askToStopUploads('logout'))) return;
    try {
      await mutateAsync();
    } catch (error) {
      console.error(error);
      toast.error(errorMessage(error));
    }
  };
}

function Initial({ email }: { readonly email: string }) {
  return (
    <span aria-hidden className="grid size-8 place-items-center rounded-full bg-sea-wash text-s font-semibold text-sea">
      {email.charAt(0).toUpperCase()}
    </span>
  );
}

import type { Account } from '@holdfast/contract/src/account.ts';
import { Link } from '@tanstack/react-router';
import { LayoutDashboard, LogOut } from 'lucide-react';
import { Disclosure, disclosureItem } from '../ui/Disclosure.tsx';
import { useLeave } from './use-leave.ts';

export function AccountMenu({ account }: { readonly account: Account }) {
  const leave = useLeave();
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
        <button type="button" className={disclosureItem} onClick={() => void leave()}>
          <LogOut aria-hidden />
          Logout
        </button>
      </div>
    </Disclosure>
  );
}

function Initial({ email }: { readonly email: string }) {
  return (
    <span aria-hidden className="grid size-8 place-items-center rounded-full bg-sea-wash text-s font-semibold text-sea">
      {email.charAt(0).toUpperCase()}
    </span>
  );
}

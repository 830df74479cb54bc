import { Fragment, type ReactNode } from 'react';
import { useRemounts } from '../../api/account/account-cache.ts';
import { useAccount } from '../../api/account/account.ts';
import { ConfirmPassword } from '../../components/ConfirmPassword.tsx';
import { Brand } from '../../ui/Brand.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import { SkipLink } from '../SkipLink.tsx';
import { ConnectionNote } from './ConnectionNote.tsx';
import { DashboardHeader } from './DashboardHeader.tsx';
import { Sidebar } from './Sidebar.tsx';

export function DashboardLayout({ children }: { readonly children: ReactNode }) {
  const { data: account } = useAccount();
  const remounts = useRemounts();
  if (!account) return null;
  return (
    <div className="min-h-dvh text-m lg:grid lg:grid-cols-[232px_minmax(0,1fr)]">
      <SkipLink />
      <aside className="sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto border-r border-line px-3 py-3.5 lg:flex">
        <div className="px-2.5">
          <Brand />
        </div>
        <Sidebar />
        <div className="mt-auto px-2.5">
          <ThemeSwitch />
        </div>
      </aside>
      <div className="min-w-0">
        <DashboardHeader account={account} />
        <ConnectionNote />
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto max-w-[1208px] px-4 py-6 pb-24 outline-none lg:px-8 lg:py-8 lg:pb-24 min-[1600px]:max-w-[1400px]"
        >
          {/* Remounts the page when another account signs in, so that no unfinished work carries over. */}
          <Fragment key={`${remounts} ${account.info.email}`}>
            <ConfirmPassword>{children}</ConfirmPassword>
          </Fragment>
        </main>
      </div>
    </div>
  );
}

import type { Account } from '@holdfast/contract/src/account.ts';
import { Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';
import { Brand } from '../../ui/Brand.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Sheet } from '../../ui/Dialog.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import { AccountMenu } from '../AccountMenu.tsx';
import { Sidebar } from './Sidebar.tsx';

export function DashboardHeader({ account }: { readonly account: Account }) {
  return (
    <header className="sticky top-0 z-40 flex h-16 items-center gap-2 border-b border-line bg-paper px-4 lg:px-8">
      <SidebarSheet />
      <p className="min-w-0 flex-1 truncate text-m text-muted">
        Welcome back <b className="font-medium text-ink">{account.info.email}</b>
      </p>
      {/* The visible icon aligns with the edge of the page below; the rest of its 44-pixel touch target lies
          outside. */}
      <div className="-mr-1.5">
        <AccountMenu account={account} />
      </div>
    </header>
  );
}

function SidebarSheet() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label="Open navigation"
        className="-ml-3 min-h-11 min-w-11 text-ink lg:hidden [&_svg]:size-5"
        onClick={() => setOpen(true)}
      >
        <MenuIcon />
      </IconButton>
      <Sheet open={open} onOpenChange={setOpen} title="Navigation" side="left" head={<SheetHead />}>
        <div className="flex flex-1 flex-col gap-4">
          <Sidebar />
          <div className="mt-auto px-2.5">
            <ThemeSwitch />
          </div>
        </div>
      </Sheet>
    </>
  );
}

/** Aligned with the icons of the sidebar's rows. */
const SheetHead = () => (
  <div className="px-2.5">
    <Brand />
  </div>
);

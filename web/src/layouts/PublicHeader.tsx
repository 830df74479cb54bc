import { actingForHeader, calls } from '@holdfast/contract/src/calls.ts';
import type { Account } from '@holdfast/contract/src/account.ts';
import { ChevronDown, Menu as MenuIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useAccount } from '../api/account/account.ts';
import { askToStopUploads, dropUploads } from '../api/upload/upload-guard.ts';
import { ContactLinks, hasContact } from '../components/ContactLinks.tsx';
import { lazyPage } from '../lib/lazy-page.ts';
import { useLeftSignal } from '../lib/left-signal.ts';
import { Brand } from '../ui/Brand.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { Disclosure, disclosureItem } from '../ui/Disclosure.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Sheet } from '../ui/Dialog.tsx';
import { LoadAtNextPage } from './LoadAtNextPage.tsx';
import { PublicNavLinks } from './PublicNavLinks.tsx';

// Visitors without an account do not need it.
const AccountMenu = lazyPage(() =>
  import('./AccountMenu.tsx').then(
    (code) => code.AccountMenu,
    () => PlainMenu,
  ),
);

function PlainMenu({ account }: { readonly account: Account }) {
  const leftSignal = useLeftSignal();
  const logOut = async () => {
    if (!(await askToStopUploads('logout', leftSignal()))) return;
    dropUploads();
    const headers = { [actingForHeader]: account.info.email };
    await fetch(calls.logout.path, { method: calls.logout.method, headers }).catch(console.error);
    // The whole page shows whether the session has ended.
    location.reload();
  };
  return (
    <>
      <LoadAtNextPage />
      <ButtonLink to="/dashboard" className="max-[400px]:hidden">
        Dashboard
      </ButtonLink>
      <Button onClick={() => void logOut()}>Logout</Button>
    </>
  );
}

export function PublicHeader() {
  const { data: account } = useAccount();
  return (
    <header className="print:hidden sticky top-0 z-40 border-b border-line bg-paper">
      <div className="mx-auto flex h-16 max-w-[1200px] items-center gap-8 px-4 sm:px-6">
        <Brand />
        <nav aria-label="Main" className="hidden items-center gap-6 lg:flex">
          <PublicNavLinks className={navLink} />
          {hasContact && <ContactMenu />}
        </nav>
        <div className="ml-auto flex items-center gap-2">
          {account ? (
            <Suspense fallback={<span className="size-11" />}>
              <AccountMenu account={account} />
            </Suspense>
          ) : (
            <ButtonLink to="/sign-in">Sign In</ButtonLink>
          )}
          <MobileNav />
        </div>
      </div>
    </header>
  );
}

function ContactMenu() {
  const trigger = (
    <>
      Contact
      <ChevronDown aria-hidden className="size-3.5" />
    </>
  );
  return (
    <Disclosure trigger={trigger} triggerClassName={navLink}>
      <ContactLinks className={disclosureItem} />
    </Disclosure>
  );
}

/** Navigation on small screens: the entries of large ones, in one column. */
function MobileNav() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label="Open navigation"
        className="min-h-11 min-w-11 text-ink lg:hidden [&_svg]:size-5"
        onClick={() => setOpen(true)}
      >
        <MenuIcon />
      </IconButton>
      <Sheet open={open} onOpenChange={setOpen} title="Navigation" head={<Brand />}>
        <nav aria-label="Main" className="flex flex-col">
          <PublicNavLinks className={sheetRow} />
          {hasContact && <p className="mt-4 px-3 py-2 text-s text-muted">Contact</p>}
          <ContactLinks className={sheetRow} />
        </nav>
      </Sheet>
    </>
  );
}

const navLink =
  'flex min-h-control items-center gap-1 text-m text-muted transition-colors duration-100 hover:text-ink aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-sea aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-8';
const sheetRow =
  'flex min-h-11 items-center gap-2.5 rounded-m px-3 text-l hover:bg-sunken aria-[current=page]:bg-sea-wash aria-[current=page]:font-medium [&_svg]:size-4 [&_svg]:text-muted';

import { actingForHeader, logoutPath } from '@holdfast/contract/src/bare-calls.ts';
import type { Account } from '@holdfast/contract/src/account.ts';
import { Menu as MenuIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useAccount } from '../api/account/account.ts';
import { askToStopUploads, dropUploads } from '../api/upload/upload-guard.ts';
import { lazyPage } from '../lib/lazy-page.ts';
import { useLeftSignal } from '../lib/left-signal.ts';
import { hasContact } from '../lib/site.ts';
import { Brand } from '../ui/Brand.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { LoadAtNextPage } from './LoadAtNextPage.tsx';
import type { ContactMenuProps, PublicSheetProps } from './PublicMenus.tsx';
import { PublicNavLinks } from './PublicNavLinks.tsx';

// Visitors without an account do not need it.
const AccountMenu = lazyPage(() =>
  import('./AccountMenu.tsx').then(
    (code) => code.AccountMenu,
    () => PlainMenu,
  ),
);

const menus = () => import('./PublicMenus.tsx');
const ContactMenu = lazyPage<ContactMenuProps>(() =>
  menus().then(
    (code) => code.ContactMenu,
    () => LoadAtNextPage,
  ),
);
const PublicSheet = lazyPage<PublicSheetProps>(() =>
  menus().then(
    (code) => code.PublicSheet,
    () => LoadAtNextPage,
  ),
);

function PlainMenu({ account }: { readonly account: Account }) {
  const leftSignal = useLeftSignal();
  const logOut = async () => {
    if (!(await askToStopUploads('logout', leftSignal()))) return;
    dropUploads();
    const headers = { [actingForHeader]: account.info.email };
    await fetch(logoutPath, { method: 'POST', headers }).catch(console.error);
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
          {hasContact && (
            <Suspense fallback={<span className={navLink}>Contact</span>}>
              <ContactMenu className={navLink} />
            </Suspense>
          )}
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

/** Navigation on small screens. Its code is loaded when the button is about to be pressed. */
function MobileNav() {
  const [open, setOpen] = useState(false);
  const preload = () => void PublicSheet.preload();
  return (
    <>
      <IconButton
        label="Open navigation"
        className="min-h-11 min-w-11 text-ink lg:hidden [&_svg]:size-5"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(true)}
      >
        <MenuIcon />
      </IconButton>
      <Suspense>{open && <PublicSheet onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

const navLink =
  'flex min-h-control items-center gap-1 text-m text-muted transition-colors duration-100 hover:text-ink aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-sea aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-8';

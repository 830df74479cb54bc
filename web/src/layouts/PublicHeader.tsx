import { ChevronDown, Menu as MenuIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useAccount } from '../api/account/account.ts';
import { ContactLinks, hasContact } from '../components/ContactLinks.tsx';
import { lazyPart } from '../lib/lazy-component.ts';
import { Brand } from '../ui/Brand.tsx';
import { ButtonLink } from '../ui/Button.tsx';
import { Disclosure, disclosureItem } from '../ui/Disclosure.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import type { MobileNavSheetProps } from './MobileNavSheet.tsx';
import { PublicNavLinks } from './PublicNavLinks.tsx';

// Signed-out visitors, who are the majority, do not need it.
const AccountMenu = lazyPart(async () => (await import('./AccountMenu.tsx')).AccountMenu, ToDashboard);

// Large screens never need the sheet, and small ones only when it is opened.
const MobileNavSheet = lazyPart(async () => (await import('./MobileNavSheet.tsx')).MobileNavSheet, PlainNav);

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

/** Shown instead of the menu if its code could not be loaded. */
function ToDashboard() {
  return <ButtonLink to="/dashboard">Dashboard</ButtonLink>;
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

/** Navigation on small screens. */
function MobileNav() {
  const [open, setOpen] = useState<boolean>();
  return (
    <div className="lg:hidden">
      <IconButton
        label="Open navigation"
        className="min-h-11 min-w-11 text-ink [&_svg]:size-5"
        onClick={() => setOpen(!open)}
      >
        <MenuIcon />
      </IconButton>
      <Suspense>{open !== undefined && <MobileNavSheet open={open} onOpenChange={setOpen} />}</Suspense>
    </div>
  );
}

/** Shown instead of the sheet if its code could not be loaded; the same button closes it. */
function PlainNav({ open, onOpenChange }: MobileNavSheetProps) {
  return (
    open && (
      // Enter on a link fires a click.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
      <nav aria-label="Main" className={plain} onClick={() => onOpenChange(false)}>
        <PublicNavLinks className={plainRow} />
        <ContactLinks className={plainRow} />
      </nav>
    )
  );
}

const navLink =
  'flex min-h-control items-center gap-1 text-m text-muted transition-colors duration-100 hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink';
const plain = 'absolute inset-x-0 top-full border-y border-line bg-paper p-4';
const plainRow = 'flex min-h-11 items-center gap-2.5 aria-[current=page]:font-medium [&_svg]:size-4';

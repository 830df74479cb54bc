import { ChevronDown } from 'lucide-react';
import { Suspense } from 'react';
import { useAccount } from '../api/session.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { Brand } from '../ui/Brand.tsx';
import { ButtonLink } from '../ui/ButtonLink.tsx';
import { Disclosure, disclosureItem } from '../ui/Disclosure.tsx';
import { ContactLinks, hasContact } from './ContactLinks.tsx';
import { MobileNav } from './MobileNav.tsx';
import { PublicNavLinks } from './PublicNavLinks.tsx';

// Visitors who are not signed in, which is most of them, need none of it.
const AccountMenu = lazyPart(async () => (await import('./AccountMenu.tsx')).AccountMenu, ToDashboard);

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

/** In the place of the menu when it did not come. */
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

const navLink =
  'flex min-h-control items-center gap-1 text-m text-muted transition-colors duration-100 hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink';

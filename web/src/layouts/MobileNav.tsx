import { Menu as MenuIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { ContactLinks } from './ContactLinks.tsx';
import type { MobileNavSheetProps } from './MobileNavSheet.tsx';
import { PublicNavLinks } from './PublicNavLinks.tsx';

// Large screens never need it, and small ones only once it is asked for.
const MobileNavSheet = lazyPart(async () => (await import('./MobileNavSheet.tsx')).MobileNavSheet, PlainNav);

/** The navigation of small screens. */
export function MobileNav() {
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

/** In the place of the sheet when it did not come: the same button closes it. */
function PlainNav({ open, onOpenChange }: MobileNavSheetProps) {
  return (
    open && (
      // Enter on a link is a click.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
      <nav aria-label="Main" className={plain} onClick={() => onOpenChange(false)}>
        <PublicNavLinks className={plainRow} />
        <ContactLinks className={plainRow} />
      </nav>
    )
  );
}

const plain = 'absolute inset-x-0 top-full border-y border-line bg-paper p-4';
const plainRow = 'flex min-h-11 items-center gap-2.5 aria-[current=page]:font-medium [&_svg]:size-4';

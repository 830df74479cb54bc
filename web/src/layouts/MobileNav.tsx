import { Menu as MenuIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { IconButton } from '../ui/IconButton.tsx';

// Large screens never need it, and small ones only once it is asked for.
const MobileNavSheet = lazy(async () => ({ default: (await import('./MobileNavSheet.tsx')).MobileNavSheet }));

/** The navigation of small screens. */
export function MobileNav() {
  const [open, setOpen] = useState<boolean>();
  return (
    <div className="lg:hidden">
      <IconButton
        label="Open navigation"
        className="min-h-11 min-w-11 text-ink [&_svg]:size-5"
        onClick={() => setOpen(true)}
      >
        <MenuIcon />
      </IconButton>
      <Suspense>{open !== undefined && <MobileNavSheet open={open} onOpenChange={setOpen} />}</Suspense>
    </div>
  );
}

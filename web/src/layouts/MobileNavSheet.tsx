import { Brand } from '../ui/Brand.tsx';
import { Sheet } from '../ui/Sheet.tsx';
import { ContactLinks, hasContact } from '../components/ContactLinks.tsx';
import { PublicNavLinks } from './PublicNavLinks.tsx';

export interface MobileNavSheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The navigation entries of large screens, in one column. */
export function MobileNavSheet({ open, onOpenChange }: MobileNavSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Navigation" head={<Brand />}>
      <nav aria-label="Main" className="flex flex-col">
        <PublicNavLinks className={row} />
        {hasContact && <p className="mt-4 px-3 py-2 text-s text-muted">Contact</p>}
        <ContactLinks className={row} />
      </nav>
    </Sheet>
  );
}

const row =
  'flex min-h-11 items-center gap-2.5 rounded-m px-3 text-l hover:bg-sunken aria-[current=page]:bg-sea-wash aria-[current=page]:font-medium [&_svg]:size-4 [&_svg]:text-muted';

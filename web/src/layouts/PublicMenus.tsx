import { ChevronDown } from 'lucide-react';
import { ContactLinks } from '../components/ContactLinks.tsx';
import { hasContact } from '../lib/site.ts';
import { Brand } from '../ui/Brand.tsx';
import { Disclosure, disclosureItem } from '../ui/Disclosure.tsx';
import { Sheet } from '../ui/Dialog.tsx';
import { PublicNavLinks } from './PublicNavLinks.tsx';

export interface ContactMenuProps {
  readonly className: string;
}

export function ContactMenu({ className }: ContactMenuProps) {
  const trigger = (
    <>
      Contact
      <ChevronDown aria-hidden className="size-3.5" />
    </>
  );
  return (
    <Disclosure trigger={trigger} triggerClassName={className}>
      <ContactLinks className={disclosureItem} />
    </Disclosure>
  );
}

export interface PublicSheetProps {
  readonly onClose: () => void;
}

/** The entries of large screens, in one column. */
export function PublicSheet({ onClose }: PublicSheetProps) {
  return (
    <Sheet open onOpenChange={onClose} title="Navigation" head={<Brand />}>
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

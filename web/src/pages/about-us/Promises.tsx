import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';

const does = [
  'Sends back the bytes that you uploaded, and their SHA-256 for whoever wants to check',
  'Keeps a file indefinitely, and says beforehand for which few reasons one is removed',
  'States every limit before you choose a file',
  'Gives the API away free, on every plan',
] as const;

const doesNot = [
  'Compress your files, or put watermarks on them',
  'Wrap downloads in ads',
  'Tolerate malware',
  'Ask whoever downloads for an account',
] as const;

export function Promises() {
  return (
    <section aria-label="What it does and does not do" className="border-y border-line bg-surface">
      <div className="mx-auto grid max-w-[1200px] px-4 sm:px-6 md:grid-cols-2 md:divide-x md:divide-line">
        <List title="What it does" entries={does} icon={<Check className={`${icon} text-sea`} aria-hidden />} />
        <List title="What it never does" entries={doesNot} icon={<X className={`${icon} text-muted`} aria-hidden />} />
      </div>
    </section>
  );
}

interface ListProps {
  readonly title: string;
  readonly entries: readonly string[];
  readonly icon: ReactNode;
}

function List({ title, entries, icon: sign }: ListProps) {
  return (
    <div className="py-8 max-md:not-first:border-t max-md:not-first:border-line md:py-14 md:not-first:pl-10 md:first:pr-10 lg:not-first:pl-16">
      <h2 className="text-title-s font-semibold">{title}</h2>
      <ul className="mt-4 space-y-3">
        {entries.map((entry) => (
          <li key={entry} className="flex gap-3">
            {sign}
            {entry}
          </li>
        ))}
      </ul>
    </div>
  );
}

const icon = 'mt-1 size-4 shrink-0';

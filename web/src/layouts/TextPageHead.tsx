import type { ReactNode } from 'react';
import { Contours } from '../ui/Contours.tsx';

/** The head of a page that is read: its title and what it is about, the sea beside them. */
export function TextPageHead({ children }: { readonly children: ReactNode }) {
  return (
    <div className="relative overflow-clip border-b border-line">
      <div
        aria-hidden
        className="absolute inset-0 hidden overflow-clip [mask-image:linear-gradient(to_right,transparent_52%,black_82%)] lg:block print:hidden"
      >
        <Contours className="absolute top-1/2 right-0 h-[760px] w-[870px] max-w-none translate-x-[18%] -translate-y-1/2" />
      </div>
      <div className="relative mx-auto max-w-[1200px] px-4 py-12 sm:px-6 md:py-16 lg:py-20 print:py-0 print:pb-6">
        {children}
      </div>
    </div>
  );
}

import type { ReactNode } from 'react';
import { Contours } from '../ui/Contours.tsx';

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

/** Style of running text: a readable line length, space between lines, and links that stand out from the text. */
export const prose =
  'max-w-[66ch] space-y-4 leading-7 [&_strong]:font-semibold [&_h3]:pt-2 [&_h3]:font-semibold ' +
  '[&_ul]:list-disc [&_ul]:space-y-2 [&_ul]:pl-5 [&_ol]:list-decimal [&_ol]:space-y-2 [&_ol]:pl-6 [&_li]:pl-1 [&_li]:marker:text-muted ' +
  '[&_pre]:rounded-m [&_pre]:bg-sunken [&_pre]:px-4 [&_pre]:py-3 [&_pre]:text-s [&_pre]:wrap-anywhere [&_pre]:whitespace-pre-wrap [&_blockquote]:border-l [&_blockquote]:border-line [&_blockquote]:pl-4 [&_blockquote]:text-muted [&_hr]:border-line ' +
  '[&_a]:break-words [&_a]:text-sea [&_a]:underline [&_a]:decoration-[color-mix(in_oklch,var(--sea)_35%,transparent)] [&_a]:underline-offset-3 [&_a:hover]:decoration-current';

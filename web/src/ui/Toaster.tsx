import { clsx } from 'clsx';
import { useState } from 'react';
import { useToaster } from 'react-hot-toast/headless';
import { rankToasts } from './rank-toasts.ts';
import { ToastCard } from './ToastCard.tsx';
import { toastDurations, toastLimit } from './toast-rules.ts';

/**
 * The toasts, in the page's one live region: it is always there, so every toast is spoken. They lie on one pile, so
 * that twenty of them cover no more of the page than one; the pile spreads out under the pointer, which makes them wait.
 */
export function Toaster({ inHeader }: { readonly inHeader: boolean }) {
  const { toasts, handlers } = useToaster(toastDurations);
  const [spread, setSpread] = useState(false);
  const shown = toasts.slice(0, toastLimit);
  const ranks = rankToasts(shown);
  return (
    // Its toasts are blocks, which an output element must not hold; the pointer only makes them wait.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="status"
      aria-live="polite"
      aria-atomic="false"
      className={clsx(
        'pointer-events-none fixed z-100 flex justify-center',
        // Beside what the header holds to press, or below it where there is no room beside.
        inHeader ? 'inset-x-14 top-2.5 lg:right-24 lg:left-auto' : 'inset-x-4 top-[72px]',
      )}
      onMouseEnter={() => {
        setSpread(true);
        handlers.startPause();
      }}
      onMouseLeave={() => {
        setSpread(false);
        handlers.endPause();
      }}
    >
      <div className={clsx(pile, spread && 'max-h-[calc(100dvh-96px)] flex-col gap-2 overflow-y-auto')}>
        {shown.map((toast) => {
          const rank = ranks.get(toast.id);
          const seen = rank === undefined || spread ? rank : Math.min(rank, outOfSight);
          const below = rank === undefined || rank === 0 ? ranks.size - 1 : 0;
          return <ToastCard key={toast.id} toast={toast} rank={seen} spread={spread} below={below} />;
        })}
      </div>
    </div>
  );
}

/** The first place on the pile that does not show. */
const outOfSight = 3;

const pile = 'pointer-events-auto relative isolate flex h-fit w-fit max-w-[min(350px,100%)]';

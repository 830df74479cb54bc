import { clsx } from 'clsx';
import { useState } from 'react';
import { useToaster } from 'react-hot-toast/headless';
import { rankToasts } from './rank-toasts.ts';
import { ToastCard } from './ToastCard.tsx';
import { toastDurations, toastLimit } from './toast-rules.ts';

/**
 * The toasts lie on one pile, so that twenty of them cover no more of the page than one; the pile spreads out under the
 * pointer, which makes them wait.
 */
export function ToastPile() {
  const { toasts, handlers } = useToaster(toastDurations);
  const [spread, setSpread] = useState(false);
  const shown = toasts.slice(0, toastLimit);
  const ranks = rankToasts(shown);
  return (
    // The pointer only makes them wait.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={clsx(pile, spread && 'max-h-[calc(100dvh-96px)] flex-col gap-2 overflow-y-auto')}
      onMouseEnter={() => {
        setSpread(true);
        handlers.startPause();
      }}
      onMouseLeave={() => {
        setSpread(false);
        handlers.endPause();
      }}
    >
      {shown.map((toast) => {
        const rank = ranks.get(toast.id);
        const seen = rank === undefined || spread ? rank : Math.min(rank, outOfSight);
        const below = rank === undefined || rank === 0 ? ranks.size - 1 : 0;
        return <ToastCard key={toast.id} toast={toast} rank={seen} spread={spread} below={below} />;
      })}
    </div>
  );
}

/** The first place on the pile that does not show. */
const outOfSight = 3;

const pile = 'pointer-events-auto relative isolate flex h-fit w-fit max-w-[min(350px,100%)]';

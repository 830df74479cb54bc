import { clsx } from 'clsx';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { memo, useState } from 'react';
import { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless';
import { rankToasts } from './rank-toasts.ts';
import { Spinner } from './Spinner.tsx';

/**
 * Toasts are stacked in one pile, so that twenty of them cover no more of the page than one. On hover the pile spreads
 * out and the toasts stay open.
 */
export function ToastPile() {
  const { toasts, handlers } = useToaster(toastDurations);
  const [spread, setSpread] = useState(false);
  const shown = toasts.slice(0, toastLimit);
  const ranks = rankToasts(shown);
  return (
    // Hovering only pauses the toasts.
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

/** Maximum number of toasts shown at once. */
const toastLimit = 20;

/** First hidden position in the pile. */
const outOfSight = 3;

const stay = { duration: 4000 };

const toastDurations = {
  blank: stay,
  error: stay,
  custom: stay,
  success: { duration: 2000 },
  loading: { duration: Infinity },
  // Time for the fade-out, after the duration.
  removeDelay: 200,
};

interface ToastCardProps {
  readonly toast: Toast;
  /**
   * Position in the pile, 0 for the top; undefined while the toast fades out. Hidden toasts may share the last
   * position.
   */
  readonly rank: number | undefined;
  /** Number of toasts below the top one. */
  readonly below: number;
  readonly spread: boolean;
}

/**
 * A new toast shifts all others, but few of them are visible, so only those re-render. A toast that joins a pile only
 * changes its text and is not animated: a queue of small files adds fifty a second.
 */
const ToastCard = memo(function ToastCard({ toast, rank, below, spread }: ToastCardProps) {
  const buried = !spread && rank !== undefined && rank > 0;
  const [cameAlone] = useState(rank === 0 && below === 0);
  return (
    <div
      className={clsx(card, cameAlone && 'animate-appear', place(rank, spread, below < 0))}
      style={{ order: rank, zIndex: -(rank ?? 0) }}
    >
      {/* Covered toasts stay in the DOM for screen readers, and appear when the pile spreads. */}
      <div className={clsx('flex min-w-0 gap-2.5', buried && 'opacity-0')}>
        <ToastIcon type={toast.type} />
        <span className="min-w-0 break-words">{resolveValue(toast.message, toast)}</span>
        {rank === 0 && below > 0 && !spread && (
          <span aria-hidden className="figures shrink-0 text-s text-muted">
            +{below}
          </span>
        )}
      </div>
    </div>
  );
});

function place(rank: number | undefined, spread: boolean, last: boolean): string {
  if (rank === undefined) return clsx('pointer-events-none invisible opacity-0', last ? fading : 'absolute inset-0');
  if (spread) return 'animate-appear';
  if (rank === 0) return '';
  if (rank === 1) return 'absolute inset-x-2 inset-y-0 translate-y-1.5';
  return clsx('absolute inset-x-4 inset-y-0 translate-y-3', rank > 2 && 'opacity-0');
}

function ToastIcon({ type }: { readonly type: Toast['type'] }) {
  if (type === 'success') return <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-sea" />;
  if (type === 'error') return <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />;
  return type === 'loading' ? <Spinner /> : null;
}

const pile = 'pointer-events-auto relative isolate flex h-fit w-fit max-w-[min(350px,100%)]';
const card = 'overflow-hidden rounded-m border border-edge bg-surface px-3.5 py-2.5 text-m text-ink';
const fading = 'transition-[opacity,visibility] duration-150';

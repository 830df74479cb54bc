import { clsx } from 'clsx';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { memo, useState } from 'react';
import { resolveValue, type Toast } from 'react-hot-toast/headless';
import { Spinner } from './Spinner.tsx';

export interface ToastCardProps {
  readonly toast: Toast;
  /** Its place on the pile, 0 for the one on top; none when it is fading. Those out of sight may share the last one. */
  readonly rank: number | undefined;
  /** How many lie below the one on top. */
  readonly below: number;
  readonly spread: boolean;
}

/**
 * A new toast moves all others, of which few are to be seen: only those are drawn again. One that comes onto a pile only
 * changes what is read there, and must not keep the page moving: a queue of small files brings fifty a second.
 */
export const ToastCard = memo(function ToastCard({ toast, rank, below, spread }: ToastCardProps) {
  const buried = !spread && rank !== undefined && rank > 0;
  const [cameAlone] = useState(rank === 0 && below === 0);
  return (
    <div
      className={clsx(card, cameAlone && 'animate-appear', place(rank, spread, below < 0))}
      style={{ order: rank, zIndex: -(rank ?? 0) }}
    >
      {/* What is buried stays to be heard, and shows when the pile spreads. */}
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

const card = 'overflow-hidden rounded-m border border-edge bg-surface px-3.5 py-2.5 text-m text-ink';
const fading = 'transition-[opacity,visibility] duration-150';

import { clsx } from 'clsx';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless';
import { Spinner } from './Spinner.tsx';

/** How long toasts stay (spec section 9). At most 20 are shown, which is the library's own limit. */
const durations = { duration: 4000, success: { duration: 2000 }, loading: { duration: Infinity } };

/** The toasts, in the page's one live region: it is always there, so every toast is spoken. */
export function Toaster() {
  const { toasts, handlers } = useToaster(durations);
  return (
    // Its toasts are blocks, which an output element must not hold; the pointer only makes them wait.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="status"
      aria-live="polite"
      aria-atomic="false"
      className="pointer-events-none fixed inset-x-4 top-4 z-100 flex flex-col items-center gap-2"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastCard({ toast }: { readonly toast: Toast }) {
  return (
    <div className={clsx(card, toast.visible ? 'animate-appear' : 'opacity-0')}>
      <ToastIcon type={toast.type} />
      <span className="min-w-0 break-words">{resolveValue(toast.message, toast)}</span>
    </div>
  );
}

function ToastIcon({ type }: { readonly type: Toast['type'] }) {
  if (type === 'success') return <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-sea" />;
  if (type === 'error') return <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />;
  return type === 'loading' ? <Spinner /> : null;
}

const card =
  'pointer-events-auto flex w-fit max-w-[min(350px,100%)] gap-2.5 rounded-m border border-edge bg-surface px-3.5 py-2.5 text-m text-ink transition-opacity duration-150';

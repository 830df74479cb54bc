import { clsx } from 'clsx';

/** A grey place for what is loading; give it a size by class. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={clsx('block animate-pulse rounded-s bg-sunken', className ?? 'h-4 w-full')} />;
}

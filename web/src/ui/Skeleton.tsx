import { clsx } from 'clsx';

/** A gray placeholder for loading content; set its size with a class. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={clsx('block animate-pulse rounded-s bg-sunken', className ?? 'h-4 w-full')} />;
}

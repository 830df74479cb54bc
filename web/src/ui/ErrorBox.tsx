import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export function ErrorBox({ children }: { readonly children: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex animate-appear gap-2.5 rounded-m border border-danger bg-danger-wash px-3 py-2.5 text-m text-ink"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  );
}

import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export function Warning({ children }: { readonly children: ReactNode }) {
  return (
    <p className="flex gap-2 rounded-m bg-buoy-wash px-3 py-2 text-s text-buoy-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {children}
    </p>
  );
}

import type { ReactNode } from 'react';

export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="divide-y divide-line">{children}</dl>;
}

export interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

export function FactRow({ name, children }: FactProps) {
  return (
    <div className="grid items-baseline gap-x-6 gap-y-1 px-4 py-3.5 sm:grid-cols-[200px_minmax(0,1fr)] sm:px-5">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

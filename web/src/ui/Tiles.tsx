import type { ReactNode } from 'react';

export function Tiles({ children }: { readonly children: ReactNode }) {
  return (
    // The gap shows the line color between tiles, however they wrap.
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-m border border-line bg-line lg:grid-cols-4">
      {children}
    </dl>
  );
}

export interface TileProps {
  readonly label: string;
  readonly value: ReactNode;
  /** Used fraction, from 0 to 1. */
  readonly share?: number | undefined;
  readonly detail?: ReactNode;
}

export function Tile({ label, value, share, detail }: TileProps) {
  return (
    <div className="flex min-w-0 flex-col bg-surface px-4 py-4 sm:px-5">
      <dt className="text-s text-muted">{label}</dt>
      <dd className="mt-1 figures text-[17px] leading-6 font-medium tracking-[-0.02em] break-words sm:text-[20px]">
        {value}
      </dd>
      {detail !== undefined && <dd className="text-s text-muted">{detail}</dd>}
      {share !== undefined && <ShareBar share={share} />}
    </div>
  );
}

function ShareBar({ share }: { readonly share: number }) {
  const part = Math.min(1, Math.max(0, share));
  return (
    <dd aria-hidden className="mt-auto pt-3">
      <div className="h-1 overflow-hidden rounded-full bg-sunken">
        <div className={part > 0.9 ? 'h-full bg-buoy' : 'h-full bg-sea'} style={{ width: `${part * 100}%` }} />
      </div>
    </dd>
  );
}

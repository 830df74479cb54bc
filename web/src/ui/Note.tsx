import { clsx } from 'clsx';
import { Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export interface NoteProps {
  readonly tone?: 'warning' | 'plain';
  readonly className?: string;
  readonly children: ReactNode;
}

export function Note({ tone = 'plain', className, children }: NoteProps) {
  const Icon = tone === 'warning' ? TriangleAlert : Info;
  return (
    <div className={clsx('flex gap-2.5 rounded-m px-3 py-2.5 text-m', tones[tone], className)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 [&_a]:underline [&_a]:decoration-1 [&_a]:underline-offset-4">{children}</div>
    </div>
  );
}

const tones = { warning: 'bg-buoy-wash text-buoy-ink', plain: 'bg-sea-wash text-ink' };

import { Suspense } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import type { CopyByHandProps } from './CopyByHand.tsx';

// Most browsers let a page copy and need none of it. Without it, what was pressed has said that it failed.
const CopyByHand = lazyPart<CopyByHandProps>(
  async () => (await import('./CopyByHand.tsx')).CopyByHand,
  () => null,
);

/** What to show beside a button whose text could not be copied. */
export function TextToCopy(props: CopyByHandProps) {
  return (
    <Suspense>
      <CopyByHand {...props} />
    </Suspense>
  );
}

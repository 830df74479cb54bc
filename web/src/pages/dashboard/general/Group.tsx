import { type ReactNode, useId } from 'react';
import { Card } from '../../../ui/Card.tsx';

/** Settings that belong together. Each child is one, ruled off by a hairline. */
export function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-title-s font-semibold">
        {title}
      </h2>
      <Card className="mt-3 divide-y divide-line *:px-4 *:py-4 sm:*:px-5">{children}</Card>
    </section>
  );
}

import { useId } from 'react';
import type { Group } from './faq.ts';
import { Question } from './Question.tsx';

export function FaqGroup({ group: { title, faqs } }: { readonly group: Group }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-3 border-t border-line py-8 lg:grid-cols-[240px_minmax(0,1fr)] lg:py-10"
    >
      <h2 id={id} className="text-title-s font-semibold lg:sticky lg:top-24 lg:self-start lg:pt-2.5">
        {title}
      </h2>
      <div className="divide-y divide-line">
        {faqs.map((faq) => (
          <Question key={faq.id} faq={faq} />
        ))}
      </div>
    </section>
  );
}

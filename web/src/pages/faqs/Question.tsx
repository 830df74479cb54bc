import { useLocation, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type SyntheticEvent, useEffect, useRef } from 'react';
import { prose } from '../../layouts/prose.ts';
import type { Faq } from './faq.ts';

/** The browser's own disclosure: it opens by key, and by itself where a search in the page finds something inside. */
export function Question({ faq: { id, question, answer } }: { readonly faq: Faq }) {
  const [details, nameInAddress] = useLinkedAnswer(id);
  return (
    <details ref={details} id={id} className="group print:[&::details-content]:[content-visibility:visible]">
      {/* By pressing, not by `toggle`: what a search or the button above opens is not what the address should name. */}
      <summary onClick={nameInAddress} className={questionLook}>
        <h3 className="font-medium">{question}</h3>
        <Plus
          aria-hidden
          className="size-4 shrink-0 text-muted transition-transform duration-150 group-open:rotate-45 print:hidden"
        />
      </summary>
      <div className={`${prose} pt-1 pb-6 text-muted [&_strong]:text-ink`}>{answer}</div>
    </details>
  );
}

/** Opens the answer that the address names, and puts into the address which question was opened. */
function useLinkedAnswer(id: string) {
  const details = useRef<HTMLDetailsElement>(null);
  const navigate = useNavigate();
  const linked = useLocation({ select: ({ hash }) => hash === id });
  useEffect(() => {
    // Open already: it was pressed, and must not move under the pointer.
    if (!linked || !details.current || details.current.open) return;
    details.current.open = true;
    details.current.scrollIntoView();
    details.current.querySelector('summary')?.focus({ preventScroll: true });
  }, [linked]);
  const nameInAddress = ({ currentTarget }: SyntheticEvent) => {
    // The browser opens it after this.
    const opening = currentTarget.parentElement?.hasAttribute('open') === false;
    if (opening) details.current?.addEventListener('toggle', write, { once: true });
  };
  const write = () =>
    void navigate({ to: '.', hash: id, replace: true, resetScroll: false, hashScrollIntoView: false });
  return [details, nameInAddress] as const;
}

const questionLook =
  '-mx-2 flex min-h-11 list-none items-center justify-between gap-6 px-2 py-2.5 hover:text-sea [&::-webkit-details-marker]:hidden';

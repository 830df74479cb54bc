import { useLocation, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { prose } from '../../components/TextPageHead.tsx';

export interface QuestionGroup {
  readonly title: string;
  readonly faqs: readonly Faq[];
}

export interface Faq {
  /** The anchor. External links may use it, so keep it when the question is reworded. */
  readonly id: string;
  readonly question: string;
  readonly answer: ReactNode;
}

interface FaqGroupProps {
  readonly group: QuestionGroup;
  /** The first answer is open on arrival, which shows how the page works. */
  readonly firstOpen: boolean;
}

export function FaqGroup({ group: { title, faqs }, firstOpen }: FaqGroupProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-3 not-has-[details:not([hidden])]:hidden border-t border-line py-8 lg:grid-cols-[240px_minmax(0,1fr)] lg:py-10"
    >
      <h2 id={id} className="text-title-s font-semibold lg:sticky lg:top-24 lg:self-start lg:pt-2.5">
        {title}
      </h2>
      <div className="[&>:not([hidden])~:not([hidden])]:border-t [&>:not([hidden])~:not([hidden])]:border-line">
        {faqs.map((faq, index) => (
          <Question key={faq.id} faq={faq} isOpen={firstOpen && index === 0} />
        ))}
      </div>
    </section>
  );
}

/**
 * Uses the native disclosure element, which supports the keyboard and opens automatically when a search in the page
 * matches its content.
 */
function Question({ faq: { id, question, answer }, isOpen }: { readonly faq: Faq; readonly isOpen: boolean }) {
  const [details, nameInAddress] = useLinkedAnswer(id);
  return (
    <details
      ref={details}
      id={id}
      open={isOpen}
      className="group print:[&::details-content]:[content-visibility:visible]"
    >
      {/* Listens to clicks, not to `toggle`: questions opened by a search or by the button above must not change
          the address. */}
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

/** Opens the answer that the address names, and writes an opened question into the address. */
function useLinkedAnswer(id: string) {
  const details = useRef<HTMLDetailsElement>(null);
  const navigate = useNavigate();
  const linked = useLocation({ select: ({ hash }) => hash === id });
  useEffect(() => {
    // An open answer was opened by a click, and must not move under the pointer.
    if (!linked || !details.current || details.current.open) return;
    details.current.hidden = false;
    details.current.open = true;
    details.current.scrollIntoView();
    details.current.querySelector('summary')?.focus({ preventScroll: true });
  }, [linked]);
  const nameInAddress = ({ currentTarget }: SyntheticEvent) => {
    // The browser opens it after this handler.
    const opening = currentTarget.parentElement?.hasAttribute('open') === false;
    if (opening) details.current?.addEventListener('toggle', write, { once: true });
  };
  const write = () =>
    void navigate({ to: '.', hash: id, replace: true, resetScroll: false, hashScrollIntoView: false });
  return [details, nameInAddress] as const;
}

const questionLook =
  '-mx-2 flex min-h-11 list-none items-center justify-between gap-6 px-2 py-2.5 hover:text-sea [&::-webkit-details-marker]:hidden';

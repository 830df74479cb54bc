import type { FirstSteps as List, StepName } from '@holdfast/contract/src/first-steps.ts';
import { clsx } from 'clsx';
import { ChevronDown, Circle, CircleCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useChangeFirstSteps } from '../../../api/account/first-steps.ts';
import { errorMessage } from '../../../api/client/errors.ts';
import { Prose } from '../../../components/Prose.tsx';
import { ariaDisabledUnless } from '../../../ui/aria-disabled.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { toast } from '../../../ui/toast.tsx';
import { places } from '../upload-files/focus-after.ts';
import { type StepText, stepTexts } from './step-texts.ts';

export interface FirstStepsProps {
  readonly list: List;
  readonly email: string;
}

/** What the owner of a new server does once. Each step opens its paragraph of the docs. */
export function FirstSteps({ list: { steps, outbox }, email }: FirstStepsProps) {
  const done = steps.filter((each) => each.done).length;
  const isOver = done === steps.length;
  return (
    <Card className="mt-5">
      <section aria-labelledby="first-steps">
        <div className="flex items-center gap-x-4 py-2 pr-2 pl-4 sm:pl-5">
          <div className="flex min-w-0 grow flex-wrap items-baseline gap-x-3">
            <h2 id="first-steps" className="text-title-s font-semibold">
              First steps
            </h2>
            <output className="text-muted">
              {isOver ? 'All of them are done.' : `${done} of ${steps.length} done`}
            </output>
          </div>
          <DismissButton label={isOver ? 'Close' : 'Dismiss'} />
        </div>
        {!isOver && (
          <ul>
            {steps.map((each) =>
              each.step === 'mail' ? (
                <MailStep key={each.step} done={each.done} outbox={outbox} email={email} />
              ) : (
                <Step key={each.step} name={each.step} text={stepTexts[each.step]} done={each.done}>
                  {each.step === 'api_key' && <ButtonLink to="/dashboard/account-info">Account Info</ButtonLink>}
                </Step>
              ),
            )}
          </ul>
        )}
      </section>
    </Card>
  );
}

function DismissButton({ label }: { readonly label: string }) {
  const { mutateAsync, isPending } = useChangeFirstSteps();
  const dismiss = async () => {
    try {
      await mutateAsync({ dismiss: true });
      document.getElementById(places.browse)?.focus();
    } catch (error) {
      toast.error(errorMessage(error));
    }
  };
  return (
    <Button variant="quiet" {...ariaDisabledUnless(!isPending, () => void dismiss())}>
      {label}
      <span className="sr-only"> the first steps</span>
    </Button>
  );
}

interface MailStepProps {
  readonly done: boolean;
  readonly outbox: string | null;
  readonly email: string;
}

function MailStep({ done, outbox, email }: MailStepProps) {
  const { send, isPending, problem } = useTestEmail(email);
  if (outbox !== null && !done)
    return <Step name="mail" text={stepTexts.outbox} detail={`The outbox is \`${outbox}\`.`} />;
  return (
    <Step name="mail" text={stepTexts.mail} done={done} problem={problem}>
      <Button busy={isPending} {...ariaDisabledUnless(!isPending, () => void send())}>
        Send a test email
      </Button>
    </Step>
  );
}

function useTestEmail(email: string) {
  const [problem, setProblem] = useState<string>();
  const { mutateAsync, isPending } = useChangeFirstSteps();
  const send = async () => {
    setProblem(undefined);
    try {
      const answer = await mutateAsync({ send_email: true });
      setProblem(answer?.email_problem);
      if (!answer || answer.email_problem !== undefined) return;
      toast.success(`The mail server accepted an email to ${email}.`);
      // The pressed button has disappeared.
      document.getElementById(idOf('mail'))?.focus();
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  return { send, isPending, problem };
}

interface StepProps {
  readonly name: StepName;
  readonly text: StepText;
  readonly done?: boolean;
  readonly detail?: string;
  readonly problem?: string | undefined;
  /** What does the step, while it is open. */
  readonly children?: ReactNode;
}

function Step({ name, text, done = false, detail, problem, children }: StepProps) {
  const Icon = done ? CircleCheck : Circle;
  const [page, heading] = text.docs;
  return (
    <li className="flex flex-wrap items-start gap-x-4 border-t border-line pr-2 pl-4 sm:pl-5">
      <details className="group min-w-0 grow basis-60">
        <summary id={idOf(name)} className={summary}>
          <Icon aria-hidden className={clsx('size-5 shrink-0', done ? 'text-sea' : 'text-edge')} />
          <span className={clsx('min-w-0', done && 'text-muted')}>
            <span className="sr-only">{done ? 'Done: ' : 'To do: '}</span>
            {done ? text.done : text.open}
          </span>
          <ChevronDown aria-hidden className={chevron} />
        </summary>
        <div className="grid max-w-[72ch] grid-cols-[minmax(0,1fr)] gap-2 pt-1 pr-2 pb-4 pl-8 text-muted">
          <p>
            <Prose text={text.text} />
          </p>
          {detail !== undefined && (
            <p>
              <Prose text={detail} />
            </p>
          )}
          <p className="text-s">
            <Prose text={`More in \`${page}\`, under “${heading}”.`} />
          </p>
        </div>
      </details>
      {!done && text.hint !== undefined && <code className={hint}>{text.hint}</code>}
      {!done && children && <div className="flex min-h-12 items-center max-sm:pb-2 max-sm:pl-8">{children}</div>}
      {!done && problem !== undefined && (
        <p role="alert" className="basis-full pb-3 pl-8 break-words text-danger">
          {problem}
        </p>
      )}
    </li>
  );
}

const idOf = (step: StepName) => `first-step-${step}`;

const summary = 'flex min-h-12 list-none items-center gap-3 py-2 hover:text-sea [&::-webkit-details-marker]:hidden';
const chevron = 'size-4 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180';
const hint = 'flex min-h-12 items-center pr-3.5 text-s text-muted max-sm:hidden';

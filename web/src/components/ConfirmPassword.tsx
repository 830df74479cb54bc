import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useAccount } from '../api/account/account.ts';
import {
  type AskForPassword,
  notGiven,
  PasswordAsker,
  type PasswordRequest,
} from '../api/account/password-question.ts';
import { formErrorMessage } from '../api/client/errors.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';

interface PasswordQuestion extends PasswordRequest {
  /** Ends the question: the change goes on if the password was confirmed, and ends otherwise. */
  readonly settle: (outcome: 'confirmed' | Error) => void;
}

/** Asks for the password when a change of the page inside needs it. */
export function ConfirmPassword({ children }: { readonly children: ReactNode }) {
  const [question, setQuestion] = useState<PasswordQuestion>();
  const ask = useCallback<AskForPassword>(
    (request) =>
      new Promise((resolve, reject) => {
        const asked: PasswordQuestion = {
          ...request,
          settle(outcome) {
            setQuestion((current) => (current === asked ? undefined : current));
            if (outcome === 'confirmed') resolve();
            else reject(outcome);
          },
        };
        const leave = () => asked.settle(notGiven());
        if (asked.signal.aborted) return leave();
        asked.signal.addEventListener('abort', leave);
        setQuestion(asked);
      }),
    [],
  );
  useEffect(() => () => question?.settle(notGiven()), [question]);
  return (
    <PasswordAsker value={ask}>
      {children}
      {question && <Question question={question} />}
    </PasswordAsker>
  );
}

function Question({ question }: { readonly question: PasswordQuestion }) {
  const email = useAccount().data?.info.email ?? '';
  const field = useRef<HTMLInputElement>(null);
  const { error, busy, submit } = useConfirmation(question);
  const cancel = () => question.settle(notGiven());
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit(field.current?.value ?? '');
  };
  useEffect(() => {
    if (error) field.current?.select();
  }, [error]);
  return (
    <Dialog
      title="Confirm your password"
      text={
        <>
          To {question.purpose}, enter the password of <span className="wrap-anywhere text-ink">{email}</span>.
        </>
      }
      onClose={cancel}
    >
      <form noValidate onSubmit={send} className="mt-4">
        {error?.of === 'call' && (
          <div className="mb-4">
            <ErrorBox>{error.message}</ErrorBox>
          </div>
        )}
        {/* Tells password managers which account the password belongs to. */}
        <input hidden readOnly autoComplete="username" value={email} />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          ref={field}
          error={error?.of === 'field' ? error.message : undefined}
        />
        <DialogButtons>
          <Button onClick={cancel}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy} aria-disabled={busy}>
            {busy ? 'Confirming...' : 'Confirm'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

interface Problem {
  readonly of: 'field' | 'call';
  readonly message: string;
}

function useConfirmation({ confirm, settle }: PasswordQuestion) {
  const [error, setError] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const send = async (password: string) => {
    setBusy(true);
    try {
      await confirm(password);
      settle('confirmed');
    } catch (failure) {
      if (isOver(failure)) settle(failure);
      else setError({ of: 'call', message: formErrorMessage(failure, 'Something went wrong, please try again.') });
    } finally {
      setBusy(false);
    }
  };
  const submit = (password: string) => {
    if (busy) return;
    setError(password === '' ? { of: 'field', message: 'Password is required' } : undefined);
    if (password !== '') void send(password);
  };
  return { error, busy, submit };
}

/** The session has ended, or belongs to another account now: then there is nothing to confirm. */
const isOver = (failure: unknown): failure is CallFailed =>
  failure instanceof CallFailed && (failure.code === 'AUTH_REQUIRED' || failure.code === 'ACCOUNT_CHANGED');

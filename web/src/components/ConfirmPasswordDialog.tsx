import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { type FormEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { useAccount } from '../api/account/account.ts';
import { notGiven, type PasswordQuestion, passwordQuestion } from '../api/account/password-question.ts';
import { formErrorMessage } from '../api/client/errors.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';

/** Asks for the password when a change needs it. Escape changes nothing. */
export function ConfirmPasswordDialog() {
  const question = useSyncExternalStore(passwordQuestion.subscribe, passwordQuestion.read);
  // The page of the change may be left while the dialog is open.
  useEffect(() => () => passwordQuestion.read()?.settle(notGiven()), []);
  return question && <Dialog question={question} />;
}

function Dialog({ question }: { readonly question: PasswordQuestion }) {
  const email = useAccount().data?.info.email ?? '';
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const { error, busy, submit } = useConfirmation(question, () => dialog.current?.close(confirmed));
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit(field.current?.value ?? '');
  };
  useEffect(() => {
    dialog.current?.showModal();
    field.current?.focus();
  }, []);
  useEffect(() => {
    if (error) field.current?.select();
  }, [error]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-reason`}
      onClose={() => question.settle(dialog.current?.returnValue === confirmed ? confirmed : notGiven())}
      className={panel}
    >
      <form noValidate onSubmit={send} className="p-5">
        <h2 id={`${id}-title`} className="text-title-s font-semibold">
          Confirm your password
        </h2>
        <p id={`${id}-reason`} className="mt-2 mb-4 text-muted">
          To continue, enter the password of <span className="wrap-anywhere text-ink">{email}</span>.
        </p>
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
        <div className="mt-2 flex flex-wrap-reverse justify-end gap-2">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy} aria-disabled={busy}>
            {busy ? 'Confirming...' : 'Confirm'}
          </Button>
        </div>
      </form>
    </dialog>
  );
}

/** Return value of the dialog once the server has accepted the password. */
const confirmed = 'confirmed';

interface Problem {
  readonly of: 'field' | 'call';
  readonly message: string;
}

function useConfirmation({ confirm, settle }: PasswordQuestion, onConfirmed: () => void) {
  const [error, setError] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const send = async (password: string) => {
    setBusy(true);
    try {
      await confirm(password);
      onConfirmed();
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

const panel =
  'm-auto w-[min(440px,calc(100vw-32px))] rounded-m border border-edge bg-surface text-m text-ink max-[860px]:[--control:44px] ' +
  'backdrop:bg-[oklch(0.2_0.02_215_/_0.45)]';

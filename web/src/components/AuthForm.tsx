import type { FormEventHandler, ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { takeFocus } from '../ui/take-focus.ts';

export interface AuthFormProps {
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly error: string | undefined;
  readonly valid: boolean;
  readonly busy: boolean;
  readonly submit: string;
  readonly submitting: string;
  readonly children: ReactNode;
}

/**
 * Common parts of the account forms: the error box, fields that are disabled during submission, and a submit button
 * that also requires valid input.
 */
export function AuthForm({ onSubmit, error, valid, busy, submit, submitting, children }: AuthFormProps) {
  const send: FormEventHandler<HTMLFormElement> = (event) => {
    // The focused control is about to be disabled, which would lose the focus.
    event.currentTarget.focus({ preventScroll: true });
    onSubmit(event);
  };
  return (
    <form noValidate tabIndex={-1} onSubmit={send} className="flex flex-col gap-4 outline-none">
      {error !== undefined && !busy && (
        // The focus moves here, above the first field.
        <div tabIndex={-1} ref={takeFocus} className="outline-none">
          <ErrorBox>{error}</ErrorBox>
        </div>
      )}
      <fieldset disabled={busy} className="flex flex-col gap-5">
        {children}
        <Button type="submit" variant="primary" size="l" busy={busy} disabled={!valid || busy} className="w-full">
          {busy ? submitting : submit}
        </Button>
      </fieldset>
    </form>
  );
}

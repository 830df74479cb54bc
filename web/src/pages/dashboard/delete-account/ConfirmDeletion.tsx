import type { FormEventHandler } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Losses, type LossesProps } from './Losses.tsx';
import { useConfirmationForm } from './use-confirmation-form.ts';
import type { Deletion } from './use-deletion.ts';

export interface ConfirmDeletionProps extends LossesProps {
  readonly deletion: Deletion;
  readonly onCancel: () => void;
}

export function ConfirmDeletion({ account, subscription, deletion, onCancel }: ConfirmDeletionProps) {
  const { form, submit } = useConfirmationForm(deletion.run);
  const { busy, error } = deletion;
  const send: FormEventHandler<HTMLFormElement> = (event) => {
    // What has the focus is about to rest, and would drop it.
    event.currentTarget.focus({ preventScroll: true });
    void submit(event);
  };
  return (
    <form
      noValidate
      tabIndex={-1}
      onSubmit={send}
      aria-label="Confirm deletion"
      aria-describedby="losses"
      className="outline-none"
    >
      <Losses account={account} subscription={subscription} />
      <fieldset disabled={busy} className="mt-5">
        <div className="max-w-[400px]">
          <TextField
            label="Type 'delete' to confirm"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            // The step opened for this one thing.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            error={form.formState.errors.typed?.message}
            {...form.register('typed')}
          />
        </div>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button type="submit" variant="danger" busy={busy}>
            {busy ? 'Deleting...' : 'Delete my account for good'}
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </fieldset>
      {error !== undefined && (
        <p role="alert" className="mt-3 text-s text-danger">
          {error}
        </p>
      )}
    </form>
  );
}

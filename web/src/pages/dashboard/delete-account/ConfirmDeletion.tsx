import type { Account, Subscription } from '@holdfast/contract/src/account.ts';
import { deletionWord } from '@holdfast/contract/src/limits.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { TriangleAlert } from 'lucide-react';
import type { FormEventHandler } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { useFreshAccount } from '../../../api/account/account-changes.ts';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import { plans } from '../../../lib/plans.ts';
import { formatFiles, formatSize } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogButtons } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import type { AccountDeletion } from './use-deletion.ts';

export interface ConfirmDeletionProps extends Pick<LossesProps, 'subscription'> {
  readonly deletion: AccountDeletion;
  readonly onCancel: () => void;
}

/**
 * Files may have been added with the API key since the page was opened, so the user confirms only after a fresh count.
 */
export function ConfirmDeletion({ subscription, deletion, onCancel }: ConfirmDeletionProps) {
  const { account, error: countError, refetch } = useFreshAccount();
  const { form, submit } = useConfirmationForm(deletion.run);
  const { busy, error } = deletion;
  const send: FormEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    if (!account) return;
    // The focused control is about to be disabled, which would lose the focus.
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
      {countError ? (
        <LoadFailure
          title="Your files could not be counted"
          error={countError}
          onRetry={() => {
            void refetch();
            form.setFocus('typed');
          }}
        />
      ) : (
        <Losses account={account} subscription={subscription} />
      )}
      <fieldset disabled={busy} className="mt-5">
        <div className="max-w-[400px]">
          <TextField
            label="Type 'delete' to confirm"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            // This field is the only purpose of the step.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            error={form.formState.errors.typed?.message}
            {...form.register('typed')}
          />
        </div>
        <DialogButtons>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" variant="final" busy={busy} aria-disabled={!account}>
            {busy ? 'Deleting...' : 'Permanently delete my account'}
          </Button>
        </DialogButtons>
      </fieldset>
      {error !== undefined && (
        <p role="alert" className="mt-3 text-s text-danger">
          {error}
        </p>
      )}
    </form>
  );
}

/** Validates the word when the button is pressed, and after that on every keystroke. */
function useConfirmationForm(onConfirmed: () => Promise<void>) {
  const form = useForm({
    resolver: standardSchemaResolver<Confirmation, unknown, Confirmation>(confirmation),
    defaultValues: { typed: '' },
  });
  return { form, submit: form.handleSubmit(onConfirmed) };
}

interface Confirmation {
  readonly typed: string;
}

const confirmation = z.object({
  typed: z
    .string()
    .check(z.refine((typed) => typed.toLowerCase() === deletionWord, `Please type '${deletionWord}' to confirm`)),
});

interface LossesProps {
  /** Undefined until the server has responded. */
  readonly account: Account | undefined;
  /** The subscription; null if there is none, undefined until it is known. */
  readonly subscription: Subscription | null | undefined;
}

/** Everything that is deleted with the account, with counts. */
function Losses({ account, subscription }: LossesProps) {
  return (
    <div id="losses" aria-busy={!account} className="flex min-h-22 gap-2.5 rounded-m bg-danger-wash px-3 py-3">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      {account ? (
        <div className="min-w-0">
          <p className="font-medium">
            This immediately deletes <span className="wrap-anywhere">{account.info.email}</span>:
          </p>
          <ul className="mt-1 list-disc pl-5">
            {account.usage.slots_used > 0 && <li>{lostFiles(account.usage)}</li>}
            <li>your account, settings and API key; you will be signed out everywhere</li>
            <LostPlan level={account.info.level} subscription={subscription} />
          </ul>
        </div>
      ) : (
        <output>Counting your files...</output>
      )}
    </div>
  );
}

const lostFiles = ({ slots_used, space_used }: Account['usage']): string =>
  `${formatFiles(slots_used)} (${formatSize(space_used)}) and ${slots_used === 1 ? 'its link' : 'their links'}`;

interface LostPlanProps extends Pick<LossesProps, 'subscription'> {
  readonly level: Account['info']['level'];
}

/** The operator may have granted the plan, and a subscription with a failed payment may provide none. */
function LostPlan({ level, subscription }: LostPlanProps) {
  // Until the subscription is known, a plan counts as a paid one. One at an unknown price is for no plan.
  const paid = subscription ? subscription.level : level;
  if (subscription || (subscription === undefined && level !== plans.free.name))
    return <li>the {paid ? `${paid} subscription` : 'subscription'}, without a refund for the remaining time</li>;
  return level === plans.free.name ? null : <li>the {level} plan, given to you by the operator of this site</li>;
}

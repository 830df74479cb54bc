import { useState } from 'react';
import { useAccount } from '../../../api/account/account.ts';
import { useSubscription } from '../../../api/subscription.ts';
import { PageSection } from '../../../components/PageSection.tsx';
import { SubpageTitle } from '../../../components/SubpageTitle.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ariaDisabledUnless } from '../../../ui/aria-disabled.ts';
import { ConfirmDeletion } from './ConfirmDeletion.tsx';
import { useDeletion } from './use-deletion.ts';

export function DeleteAccountPage() {
  const { data: account } = useAccount();
  // Fetched before the confirmation opens, so that its text does not change while it is read.
  const { data: subscription } = useSubscription();
  const [step, setStep] = useState<'untouched' | 'asking' | 'closed'>('untouched');
  const close = () => setStep('closed');
  const deletion = useDeletion(close);
  const asking = step === 'asking';
  if (!account) return null;
  return (
    <>
      <SubpageTitle to="/dashboard/settings" overview="Settings">
        Delete Account
      </SubpageTitle>
      <PageSection
        title="Permanently delete your account and data?"
        text="This cannot be undone. Download what you want to keep first."
        className="mt-6"
      >
        <div className="rounded-m border border-danger bg-surface px-4 py-5 sm:px-5">
          {asking ? (
            <ConfirmDeletion subscription={subscription} deletion={deletion} onCancel={close} />
          ) : (
            <Button
              variant="danger"
              // The focus was in the step that closed.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus={step === 'closed'}
              {...ariaDisabledUnless(!deletion.done, () => setStep('asking'))}
            >
              Delete Account
            </Button>
          )}
        </div>
      </PageSection>
    </>
  );
}

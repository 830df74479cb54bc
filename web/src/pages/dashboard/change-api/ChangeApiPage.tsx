import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChangeApiKey } from '../../../api/account/account-changes.ts';
import { useAccount } from '../../../api/account/account.ts';
import { useTimeZone } from '../../../api/account/settings.ts';
import { useNoteKeyCopied } from '../../../api/account/first-steps.ts';
import { serverMessage } from '../../../api/client/errors.ts';
import { PageSection } from '../../../components/PageSection.tsx';
import { SubpageTitle } from '../../../components/SubpageTitle.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { ariaDisabledUnless } from '../../../ui/aria-disabled.ts';
import { takeFocus } from '../../../ui/take-focus.ts';
import { textLink } from '../../../ui/text-link.ts';
import { toast } from '../../../ui/toast.tsx';

export function ChangeApiPage() {
  const { newKey, error, busy, change } = useKeyChange();
  return (
    <>
      <SubpageTitle to="/dashboard/settings" overview="Settings">
        Change API
      </SubpageTitle>
      {newKey === undefined ? (
        <ConfirmChange error={error} busy={busy} onConfirm={change} />
      ) : (
        <NewKeyPanel value={newKey} />
      )}
    </>
  );
}

function useKeyChange() {
  const [error, setError] = useState<string>();
  const { mutateAsync, isPending, data: newKey } = useChangeApiKey();
  const change = async () => {
    setError(undefined);
    try {
      if (await mutateAsync()) toast.success('API key changed successfully!');
    } catch (failure) {
      const message = serverMessage(failure, 'Failed to change API key');
      setError(`${message.replace(/\.$/, '')}. Please try again.`);
      toast.error(message);
    }
  };
  return { newKey, error, busy: isPending, change: () => void change() };
}

interface ConfirmChangeProps {
  readonly error: string | undefined;
  readonly busy: boolean;
  readonly onConfirm: () => void;
}

function ConfirmChange({ error, busy, onConfirm }: ConfirmChangeProps) {
  const { data: account } = useAccount();
  const timeZone = useTimeZone();
  const lastUsed = account?.key_last_used;
  return (
    <PageSection
      title="Replace your API key?"
      text="Your current key stops working immediately. Scripts and apps need the new one. Your files and their links stay as they are."
      className="mt-6"
    >
      <Card className="px-4 py-5 sm:px-5">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
          <p>
            <span className="text-muted">Current key: </span>
            <code className="text-s whitespace-nowrap">hf_…{account?.info.api_key.slice(-4)}</code>
            {lastUsed !== undefined && (
              <span className="block text-s text-muted">
                Last used: <RelativeTime at={lastUsed} timeZone={timeZone} />
              </span>
            )}
          </p>
          <Button variant="final" busy={busy} {...ariaDisabledUnless(!busy, onConfirm)}>
            {busy ? 'Generating new API key...' : 'Generate new API key'}
          </Button>
        </div>
        {error !== undefined && (
          <p role="alert" className="mt-3 text-s break-words text-danger">
            {error}
          </p>
        )}
        <p className="mt-4 border-t border-line pt-4 text-s text-muted">
          To copy your current key, open <AccountInfoLink />. The <ApiDocsLink /> show how to use it.
        </p>
      </Card>
    </PageSection>
  );
}

function NewKeyPanel({ value }: { readonly value: string }) {
  const noteCopied = useNoteKeyCopied();
  return (
    <PageSection
      title="Your new API key"
      // The pressed button has disappeared.
      titleRef={takeFocus}
      text="The old key no longer works. Keep this one secret: it can upload, list and delete your files."
      className="mt-6"
    >
      <Card className="px-4 py-5 sm:px-5">
        <div className="flex w-fit max-w-full items-center gap-2 rounded-m border border-line bg-sunken py-1 pr-1 pl-3">
          <code className="min-w-0 text-s break-all select-all">{value}</code>
          <CopyButton
            text={value}
            label="Copy API key"
            onCopied={(copied) => {
              noteCopied();
              sayCopied(copied);
            }}
          />
        </div>
        <p className="mt-4 text-s text-muted">
          It is also on your <AccountInfoLink /> page, and the <ApiDocsLink /> show how to use it.
        </p>
      </Card>
    </PageSection>
  );
}

const AccountInfoLink = () => (
  <Link to="/dashboard/account-info" className={textLink}>
    Account Info
  </Link>
);

const ApiDocsLink = () => (
  <Link to="/api-docs" className={textLink}>
    API docs
  </Link>
);

function sayCopied(copied: boolean): void {
  if (copied) toast.success('API key copied to clipboard!');
  else toast.error('Failed to copy the API key. Select it and copy it by hand.');
}

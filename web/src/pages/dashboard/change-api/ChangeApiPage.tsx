import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChangeApiKey } from '../../../api/account/account-changes.ts';
import { useNoteKeyCopied } from '../../../api/account/first-steps.ts';
import { serverMessage } from '../../../api/client/errors.ts';
import { SubpageTitle } from '../../../components/SubpageTitle.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
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
      <Card className="mt-5 max-w-3xl px-4 py-5 sm:px-5">
        {newKey === undefined ? (
          <ConfirmChange error={error} busy={busy} onConfirm={change} />
        ) : (
          <NewKeyPanel value={newKey} />
        )}
      </Card>
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
  return (
    <section aria-labelledby="replace-key">
      <h2 id="replace-key" className="text-title-s font-semibold">
        Replace your API key?
      </h2>
      <p className="mt-1 max-w-[64ch] text-muted">
        The key you have now stops working at once. Every script, app and upload tool that uses it is refused until it
        gets the new one. Your files and their links stay as they are.
      </p>
      <Button variant="danger" busy={busy} {...ariaDisabledUnless(!busy, onConfirm)} className="mt-4">
        {busy ? 'Generating new API key...' : 'Generate new API key'}
      </Button>
      {error !== undefined && (
        <p role="alert" className="mt-3 text-s break-words text-danger">
          {error}
        </p>
      )}
    </section>
  );
}

function NewKeyPanel({ value }: { readonly value: string }) {
  const noteCopied = useNoteKeyCopied();
  return (
    <section aria-labelledby="new-key">
      {/* The pressed button has disappeared, so the focus moves here. */}
      <h2 id="new-key" tabIndex={-1} ref={takeFocus} className="text-title-s font-semibold outline-none">
        Your new API key
      </h2>
      <p className="mt-1 text-muted">
        The old key no longer works. Anyone who has this one can upload, list and delete as you.
      </p>
      <div className="mt-4 flex w-fit max-w-full items-center gap-2 rounded-m border border-line bg-sunken py-1 pr-1 pl-3">
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
        It is also on your{' '}
        <Link to="/dashboard/account-info" className={textLink}>
          Account Info
        </Link>{' '}
        page.
      </p>
    </section>
  );
}

function sayCopied(copied: boolean): void {
  if (copied) toast.success('API key copied to clipboard!');
  else toast.error('Failed to copy the API key. Select it and copy it by hand.');
}

import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { takeFocus } from '../../../ui/take-focus.ts';
import { textLink } from '../../../ui/text-link.ts';
import { toast } from '../../../ui/toast.ts';

export function NewKey({ value }: { readonly value: string }) {
  return (
    <section aria-labelledby="new-key">
      {/* The button that was pressed is gone: the focus continues here. */}
      <h2 id="new-key" tabIndex={-1} ref={takeFocus} className="text-title-s font-semibold outline-none">
        Your new API key
      </h2>
      <p className="mt-1 text-muted">
        The old key no longer works. Whoever has this one can upload, list and delete as you.
      </p>
      <div className="mt-4 flex w-fit max-w-full items-center gap-2 rounded-m border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 text-s break-all select-all">{value}</code>
        <CopyButton text={value} label="Copy API key" onCopied={sayCopied} />
      </div>
      <p className="mt-4 text-s text-muted">
        It stays on your{' '}
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

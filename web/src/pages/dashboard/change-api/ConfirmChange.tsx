import { Button } from '../../../ui/Button.tsx';
import { pressIf } from '../../../ui/press-if.ts';

export interface ConfirmChangeProps {
  readonly error: string | undefined;
  readonly busy: boolean;
  readonly onConfirm: () => void;
}

export function ConfirmChange({ error, busy, onConfirm }: ConfirmChangeProps) {
  return (
    <section aria-labelledby="replace-key">
      <h2 id="replace-key" className="text-title-s font-semibold">
        Replace your API key?
      </h2>
      <p className="mt-1 max-w-[64ch] text-muted">
        The key you have now stops working at once. Every script, app and upload tool that uses it is refused until it
        gets the new one. Your files and their links stay as they are.
      </p>
      <Button variant="danger" busy={busy} {...pressIf(!busy, onConfirm)} className="mt-4">
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

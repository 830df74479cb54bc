import { Check, Copy } from 'lucide-react';
import { IconButton } from './IconButton.tsx';
import { useCopied } from './use-copied.ts';

export interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** Told whether the text reached the clipboard, for the toast. */
  readonly onCopied?: ((copied: boolean) => void) | undefined;
}

/** Copies a text. Where the browser forbids that, a field with the text selected takes its place. */
export function CopyButton({ text, label, onCopied }: CopyButtonProps) {
  const [state, copy] = useCopied();
  if (state === 'denied') return <TextToCopy text={text} label={label} />;
  return (
    <IconButton
      label={label}
      data-copied={state === 'copied' || undefined}
      className="data-copied:text-sea"
      onClick={async () => onCopied?.(await copy(text))}
    >
      {state === 'copied' ? <Check /> : <Copy />}
    </IconButton>
  );
}

function TextToCopy({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <input
      readOnly
      value={text}
      aria-label={label}
      ref={takeFocus}
      className="h-control w-48 rounded-m border border-edge bg-surface px-2 font-mono text-s"
    />
  );
}

/** Outside the component, so that it runs once, when the field appears. */
function takeFocus(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}

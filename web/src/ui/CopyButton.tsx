import { Check, Copy } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from './IconButton.tsx';
import { TextToCopy } from './TextToCopy.tsx';
import { useCopied } from './use-copied.ts';

export interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** Told whether the text reached the clipboard, for the toast. */
  readonly onCopied?: ((copied: boolean) => void) | undefined;
}

/** Copies a text. Where the browser forbids that, a field with the text selected opens beside it. */
export function CopyButton({ text, label, onCopied }: CopyButtonProps) {
  const [state, copy, forget] = useCopied();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        data-copied={state === 'copied' || undefined}
        className="data-copied:text-sea"
        onClick={async () => {
          const copied = await copy(text);
          onCopied?.(copied);
        }}
      >
        {state === 'copied' ? <Check /> : <Copy />}
      </IconButton>
      {state === 'denied' && <TextToCopy text={text} label={label} beside={button} onClose={forget} />}
    </>
  );
}

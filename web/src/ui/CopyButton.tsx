import { Check, Copy } from 'lucide-react';
import { Suspense, useRef } from 'react';
import { lazyPage } from '../lib/lazy-page.ts';
import type { CopyByHandProps } from './CopyByHand.tsx';
import { IconButton } from './IconButton.tsx';
import { useCopied } from './use-copied.ts';

// Public pages must not load its positioning, which few visitors need.
const CopyByHand = lazyPage<CopyByHandProps>(() =>
  import('./CopyByHand.tsx').then(
    (code) => code.CopyByHand,
    () => () => null,
  ),
);

export interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly onCopied?: ((copied: boolean) => void) | undefined;
  readonly tabIndex?: -1;
}

/** Copies a text. If the browser forbids that, a field with the selected text opens beside the button. */
export function CopyButton({ text, label, onCopied, ...stop }: CopyButtonProps) {
  const [state, copy, forget] = useCopied();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        {...stop}
        data-copied={state === 'copied' || undefined}
        className="data-copied:text-sea"
        onClick={async () => {
          const copied = await copy(text);
          onCopied?.(copied);
        }}
      >
        {state === 'copied' ? <Check /> : <Copy />}
      </IconButton>
      {state === 'denied' && (
        <Suspense>
          <CopyByHand text={text} label={label} beside={button} onClose={forget} />
        </Suspense>
      )}
    </>
  );
}

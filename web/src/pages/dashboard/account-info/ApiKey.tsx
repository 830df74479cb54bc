import { Check, Copy } from 'lucide-react';
import { toast } from '../../../ui/toast.ts';
import { useCopied } from '../../../ui/use-copied.ts';
import { takeFocus } from '../../../ui/take-focus.ts';
import { maskKey } from './mask-key.ts';
import { useReveal } from './use-reveal.ts';

/** Masked until hover, focus or tap; a click copies (spec section 2). */
export function ApiKey({ value }: { readonly value: string }) {
  const [revealed, handlers] = useReveal();
  const [state, copy] = useCopied();
  const copyKey = async () => {
    if (await copy(value)) toast.success('API key copied to clipboard!');
    else toast.error('Failed to copy the API key. Select it and copy it by hand.');
  };
  if (state === 'denied')
    return (
      <code tabIndex={-1} ref={takeFocus} className="text-s break-all select-all">
        {value}
      </code>
    );
  return (
    <>
      <button
        type="button"
        aria-describedby="api-key-note"
        onClick={() => void copyKey()}
        className={look}
        {...handlers}
      >
        <span className="sr-only">Copy API key</span>
        {/* Dots are nothing to read out. */}
        <span aria-hidden={!revealed} className="min-w-0 break-all">
          {revealed ? value : maskKey(value)}
        </span>
        {state === 'copied' ? (
          <Check aria-hidden className="size-4 shrink-0 text-sea" />
        ) : (
          <Copy aria-hidden className="size-4 shrink-0 text-muted" />
        )}
      </button>
      <p id="api-key-note" className="mt-2 text-s text-muted">
        Whoever has this key can upload, list and delete as you. Click to copy it.
      </p>
    </>
  );
}

const look =
  'flex min-h-control w-fit max-w-full items-center gap-3 rounded-m border border-line bg-sunken px-3 py-1.5 text-left font-mono text-s hover:border-edge';

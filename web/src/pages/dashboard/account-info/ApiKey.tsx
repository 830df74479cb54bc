import { Check, Copy } from 'lucide-react';
import { type FocusEvent, type PointerEvent as ReactPointerEvent, useEffect, useState } from 'react';
import { useNoteKeyCopied } from '../../../api/account/first-steps.ts';
import { takeFocus } from '../../../ui/take-focus.ts';
import { toast } from '../../../ui/toast.tsx';
import { useCopied } from '../../../ui/use-copied.ts';
import { maskKey } from './mask-key.ts';

/** The key is masked until hover, focus or tap; a click copies it. */
export function ApiKey({ value }: { readonly value: string }) {
  const [revealed, handlers] = useReveal();
  const [state, copy] = useCopied();
  const noteCopied = useNoteKeyCopied();
  const copyKey = async () => {
    noteCopied();
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
        {/* Screen readers skip the dots of the mask. */}
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
        Keep this key secret: it can upload, list and delete your files. Click to copy it.
      </p>
    </>
  );
}

const look =
  'flex min-h-control w-fit max-w-full items-center gap-3 rounded-m border border-line bg-sunken px-3 py-1.5 text-left font-mono text-s hover:border-edge';

/** Reveals a secret on hover, on keyboard focus, and from a tap until the next tap elsewhere. */
function useReveal() {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [tapped, setTapped] = useUntilTapElsewhere();
  const handlers = {
    onPointerEnter: () => setHovered(true),
    onPointerLeave: () => setHovered(false),
    // A mouse click also moves the focus, which would keep the secret visible after the mouse has left.
    onFocus: (event: FocusEvent) => setFocused(event.target.matches(':focus-visible')),
    onBlur: () => setFocused(false),
    onPointerUp: ({ pointerType, currentTarget }: ReactPointerEvent) => {
      if (pointerType !== 'mouse') setTapped(currentTarget);
    },
  };
  return [hovered || focused || tapped !== undefined, handlers] as const;
}

/** Does not rely on the focus, because copying may move it for a moment. */
function useUntilTapElsewhere() {
  const [tapped, setTapped] = useState<Element>();
  useEffect(() => {
    if (!tapped) return undefined;
    const hide = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && tapped.contains(target))) setTapped(undefined);
    };
    document.addEventListener('pointerdown', hide);
    return () => document.removeEventListener('pointerdown', hide);
  }, [tapped]);
  return [tapped, setTapped] as const;
}

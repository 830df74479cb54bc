import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';

export interface TipProps {
  readonly id: string;
  /** What it stands above. */
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A few words above something. Fixed to the window, so that no table or card cuts it off. */
export function Tip({ id, anchor, onClose, children }: TipProps) {
  const tip = useRef<HTMLSpanElement>(null);
  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    const follow = () => tip.current && placeAbove(tip.current, anchor);
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // It means the tip alone, and nothing that the page behind it does with the same key.
      event.preventDefault();
      close();
    };
    const closeOnTapElsewhere = ({ target }: PointerEvent) =>
      !(target instanceof Node && anchor.contains(target)) && close();
    follow();
    const gone = new AbortController();
    window.addEventListener('scroll', follow, { capture: true, passive: true, signal: gone.signal });
    window.addEventListener('resize', follow, { signal: gone.signal });
    window.addEventListener('keydown', closeOnEscape, { capture: true, signal: gone.signal });
    window.addEventListener('pointerdown', closeOnTapElsewhere, { capture: true, signal: gone.signal });
    return () => gone.abort();
  }, [anchor]);
  return (
    // The padding bridges the gap: the pointer may move onto the tip.
    <span ref={tip} id={id} role="tooltip" className="fixed z-50 pb-1">
      <span className="block rounded-s border border-edge bg-surface px-2 py-1 text-s whitespace-nowrap text-ink">
        {children}
      </span>
    </span>
  );
}

const margin = 8;

function placeAbove(tip: HTMLElement, anchor: HTMLElement): void {
  const { left, top } = anchor.getBoundingClientRect();
  const rightmost = document.documentElement.clientWidth - tip.offsetWidth - margin;
  tip.style.left = `${Math.max(margin, Math.min(left, rightmost))}px`;
  tip.style.top = `${top - tip.offsetHeight}px`;
}

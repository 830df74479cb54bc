import {
  type PointerEvent as ReactPointerEvent,
  type ReactNode,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

export interface TipProps {
  readonly id: string;
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A short tooltip above an element. It has a fixed position in the window, so that no table or card clips it. */
export function Tip({ id, anchor, onClose, children }: TipProps) {
  const tip = useRef<HTMLSpanElement>(null);
  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    const follow = () => tip.current && placeAbove(tip.current, anchor);
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Escape closes only the tip and must not trigger a shortcut of the page behind it.
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
    // The padding bridges the gap, so that the pointer can move onto the tip.
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

/** State of a tip for mouse and touch. `anchor` is the element that the open tip belongs to. */
export function useTip() {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const close = () => setAnchor(undefined);
  const handlers = {
    onPointerEnter: ({ currentTarget }: ReactPointerEvent<HTMLElement>) => setAnchor(currentTarget),
    // A touch pointer leaves when the finger lifts, so an opened tip stays until the next tap elsewhere.
    onPointerLeave: ({ pointerType }: ReactPointerEvent<HTMLElement>) => pointerType === 'mouse' && close(),
    onPointerCancel: close,
  };
  return { anchor, close, handlers } as const;
}

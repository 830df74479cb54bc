import { type FocusEvent, type PointerEvent as ReactPointerEvent, useEffect, useState } from 'react';

/** A secret shows while the pointer is on it, while it has the keyboard's focus, and from a tap until the next one elsewhere. */
export function useReveal() {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [tapped, setTapped] = useUntilTapElsewhere();
  const handlers = {
    onPointerEnter: () => setHovered(true),
    onPointerLeave: () => setHovered(false),
    // A mouse click gives focus too, which would keep the secret on the screen when the mouse has left.
    onFocus: (event: FocusEvent) => setFocused(event.target.matches(':focus-visible')),
    onBlur: () => setFocused(false),
    onPointerUp: ({ pointerType, currentTarget }: ReactPointerEvent) => {
      if (pointerType !== 'mouse') setTapped(currentTarget);
    },
  };
  return [hovered || focused || tapped !== undefined, handlers] as const;
}

/** Not by the focus: copying may borrow it for a moment. */
function useUntilTapElsewhere() {
  const [tapped, setTapped] = useState<Element>();
  useEffect(() => {
    if (!tapped) return undefined;
    const look = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && tapped.contains(target))) setTapped(undefined);
    };
    document.addEventListener('pointerdown', look);
    return () => document.removeEventListener('pointerdown', look);
  }, [tapped]);
  return [tapped, setTapped] as const;
}

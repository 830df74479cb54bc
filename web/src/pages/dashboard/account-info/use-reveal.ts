import { type FocusEvent, type PointerEvent, useState } from 'react';

/** A secret shows while the pointer is on it, while it has the keyboard's focus, and from a tap until the next one elsewhere. */
export function useReveal() {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const handlers = {
    onPointerEnter: () => setHovered(true),
    onPointerLeave: () => setHovered(false),
    // A mouse click gives focus too, which would keep the secret on the screen when the mouse has left.
    onFocus: (event: FocusEvent) => setFocused(event.target.matches(':focus-visible')),
    onPointerUp: (event: PointerEvent) => event.pointerType !== 'mouse' && setFocused(true),
    onBlur: () => setFocused(false),
  };
  return [hovered || focused, handlers] as const;
}

import { type PointerEvent, useState } from 'react';

/** A tip for the pointer and the finger. `anchor` is what it stands beside, while it is open. */
export function useTip() {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const close = () => setAnchor(undefined);
  const handlers = {
    onPointerEnter: ({ currentTarget }: PointerEvent<HTMLElement>) => setAnchor(currentTarget),
    // A finger leaves as soon as it lifts: what it opened stays until the next tap elsewhere.
    onPointerLeave: ({ pointerType }: PointerEvent<HTMLElement>) => pointerType === 'mouse' && close(),
    onPointerCancel: close,
  };
  return { anchor, close, handlers } as const;
}

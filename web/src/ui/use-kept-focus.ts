import { type FocusEvent, useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the focus within a region of the page. If the focused control disappears (a deleted row, a message, a link to
 * another page), the region takes the focus, so that the next Tab continues there and not at the top of the page.
 */
export function useKeptFocus() {
  const ref = useRef<HTMLElement>(null);
  const inside = useRef(false);
  useLayoutEffect(() => {
    if (inside.current && document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
  });
  const onFocus = () => {
    inside.current = true;
  };
  const onBlur = ({ target, relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    // An element that is removed from the page loses the focus although the user has not left the region.
    inside.current = !target.isConnected || currentTarget.contains(relatedTarget);
  };
  /** Moves the focus to the start of the region, for another page of the list. */
  const land = useCallback(() => {
    ref.current?.focus({ preventScroll: true });
    ref.current?.scrollIntoView();
  }, []);
  return { props: { ref, onFocus, onBlur }, land } as const;
}

import { type FocusEvent, useCallback, useLayoutEffect, useRef } from 'react';

/**
 * The focus stays in a region of the page: where the control that has it goes away (a deleted row, a message, a link to
 * another page), the region itself takes it, so that the next Tab goes on there and not at the top of the page.
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
    // What is taken out of the page loses the focus without anybody having left.
    inside.current = !target.isConnected || currentTarget.contains(relatedTarget);
  };
  /** To the region's start, for another page of the list. */
  const land = useCallback(() => {
    ref.current?.focus({ preventScroll: true });
    ref.current?.scrollIntoView();
  }, []);
  return { props: { ref, onFocus, onBlur }, land } as const;
}

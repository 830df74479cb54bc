import { useEffect, useRef } from 'react';

/**
 * Returns the signal that the component has left the screen. It ends the questions that the component asked: on another
 * page nobody would know what they are about. The address changes earlier, while the next page is loading.
 */
export function useLeftSignal(): () => AbortSignal {
  const shown = useRef<AbortController>(undefined);
  useEffect(() => {
    const own = new AbortController();
    shown.current = own;
    return () => own.abort();
  }, []);
  return () => shown.current?.signal ?? AbortSignal.abort();
}

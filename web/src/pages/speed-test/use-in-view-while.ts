import { type RefObject, useEffect, useRef } from 'react';

/** Brings something into view when it becomes worth a look; it moves nothing that is in view already. */
export function useInViewWhile<E extends HTMLElement>(worthALook: boolean): RefObject<E | null> {
  const place = useRef<E>(null);
  useEffect(() => {
    if (worthALook) place.current?.scrollIntoView({ block: 'nearest' });
  }, [worthALook]);
  return place;
}

import { type ReactNode, useEffect, useRef, useState } from 'react';

export interface WhenNearProps {
  readonly children: ReactNode;
  /** Keeps the place until then; as high as what comes, or the page moves. */
  readonly fallback: ReactNode;
}

/** Draws what is far down a page once the reader comes near it, so that nobody loads what nobody sees. */
export function WhenNear({ children, fallback }: WhenNearProps) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !place.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '300px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [near]);
  return near ? children : <div ref={place}>{fallback}</div>;
}

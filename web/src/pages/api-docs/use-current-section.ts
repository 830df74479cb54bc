import { useEffect, useState } from 'react';
import { sections } from './sections.ts';

/** How far below the top of the window a section counts as being read, in pixels. */
const readingLine = 160;

/** The anchor of the section that is being read. */
export function useCurrentSection(): string {
  const [current, setCurrent] = useState(sections[0]?.anchor ?? '');
  useEffect(() => {
    const look = () => setCurrent(sectionBeingRead());
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, []);
  return current;
}

function sectionBeingRead(): string {
  const anchors = sections.map(({ anchor }) => anchor);
  const { scrollHeight } = document.documentElement;
  // The last one may be too short to ever reach the line.
  const atEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 2;
  const reached = anchors.findLast(
    (anchor) => (document.getElementById(anchor)?.getBoundingClientRect().top ?? Infinity) <= readingLine,
  );
  return (atEnd ? anchors.at(-1) : reached) ?? anchors[0] ?? '';
}

import { useEffect, useState } from 'react';
import type { PolicySection } from './policy-section.ts';

/** Below the header, as far down as one reads while the section above is still in view. */
const readingZone = '-88px 0px -60% 0px';

/** The id of the section that is being read: the first that reaches into the upper part of the window. */
export function useCurrentSection(sections: readonly PolicySection[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id);
  useEffect(() => {
    const inZone = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (isIntersecting) inZone.add(target.id);
          else inZone.delete(target.id);
        }
        setCurrent((before) => sections.find(({ id }) => inZone.has(id))?.id ?? before);
      },
      { rootMargin: readingZone },
    );
    for (const { id } of sections) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [sections]);
  return current;
}

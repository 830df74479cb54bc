import { flushSync } from 'react-dom';

/** Changes the page, and leaves what is being read where it is on the screen, whatever grew or shrank above it. */
export function holdPlace(change: () => void): void {
  const read = document.elementFromPoint(innerWidth / 2, belowTheBar)?.closest('figure, li, p, section');
  const before = read?.getBoundingClientRect().top ?? 0;
  flushSync(change);
  scrollBy({ top: (read?.getBoundingClientRect().top ?? 0) - before, behavior: 'instant' });
}

const belowTheBar = 128;

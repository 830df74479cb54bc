import type { FoundFiles } from '../../../api/files.ts';
import { pageInWords } from './pages.ts';

/** Says what the list shows when that has changed. Silent while it changes, so that equal words are said again. */
export function SpokenPage({ list }: { readonly list: FoundFiles | undefined }) {
  return (
    <p aria-live="polite" aria-atomic className="sr-only">
      {list && pageInWords(list.pagination, list.search)}
    </p>
  );
}

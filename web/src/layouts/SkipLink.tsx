import { pageContent } from '../ui/page-content.ts';

/** First tab stop of the page; it skips the navigation. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="absolute top-2 left-2 z-100 -translate-y-20 rounded-m border border-edge bg-surface px-4 py-2.5 text-m font-medium focus:translate-y-0"
      onClick={(event) => {
        event.preventDefault();
        pageContent()?.focus();
      }}
    >
      Skip to content
    </a>
  );
}

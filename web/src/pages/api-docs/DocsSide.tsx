import { Brand } from '../../ui/Brand.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import { DocsIndex, type DocsIndexProps } from './DocsIndex.tsx';

/** The index of wide screens, with the way home above it. */
export function DocsSide({ current }: DocsIndexProps) {
  return (
    <aside
      aria-label="Index"
      className="sticky top-0 hidden h-dvh flex-col overflow-y-auto border-r border-line lg:flex print:hidden"
    >
      <div className="flex h-14 shrink-0 items-center px-6">
        <Brand />
      </div>
      <nav aria-label="On this page" className="flex-1 px-3 py-4">
        <DocsIndex current={current} />
      </nav>
      <div className="px-6 py-4">
        <ThemeSwitch />
      </div>
    </aside>
  );
}

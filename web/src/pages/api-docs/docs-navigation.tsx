import { apiVersion } from '@holdfast/contract/src/api-docs/call-texts.ts';
import { Menu } from 'lucide-react';
import { Brand } from '../../ui/Brand.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import { LanguageSwitch } from './LanguageSwitch.tsx';
import { MethodBadge } from './MethodBadge.tsx';
import { endpointSections, guides, type SectionName } from './sections.ts';

export interface DocsIndexProps {
  readonly current: string | undefined;
}

/** The index on wide screens, below the home link. */
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

/** Sticky bar with the language of the samples, and on small screens the home link and the index. */
export function DocsBar({ current }: DocsIndexProps) {
  return (
    <header className="sticky top-0 z-40 border-b border-line bg-paper print:static print:border-0">
      <div className="mx-auto flex max-w-[1280px] flex-wrap items-center justify-between gap-x-4 px-4 sm:px-8 lg:h-14">
        <div className="flex h-14 w-full items-center justify-between sm:w-auto lg:hidden">
          <Brand />
          <div className="sm:hidden print:hidden">
            <IndexMenu current={current} />
          </div>
        </div>
        <span className="text-s text-muted max-lg:hidden">Version {apiVersion}</span>
        <div className="flex w-full items-center gap-3 pb-2 sm:w-auto sm:pb-0 print:hidden">
          <LanguageSwitch />
          <div className="max-sm:hidden lg:hidden">
            <IndexMenu current={current} />
          </div>
        </div>
      </div>
    </header>
  );
}

function IndexMenu({ current }: DocsIndexProps) {
  return (
    <Disclosure
      label="On this page"
      trigger={<Menu aria-hidden className="size-5" />}
      triggerClassName="grid size-11 place-items-center rounded-m hover:bg-sunken"
    >
      <nav aria-label="On this page" className="max-h-[calc(100dvh-80px)] w-64 overflow-y-auto py-2">
        <DocsIndex current={current} />
      </nav>
    </Disclosure>
  );
}

function DocsIndex({ current }: DocsIndexProps) {
  return (
    <>
      <IndexGroup title="Basics" sections={guides} current={current} />
      <IndexGroup title="Endpoints" sections={endpointSections} current={current} />
    </>
  );
}

interface IndexGroupProps extends DocsIndexProps {
  readonly title: string;
  readonly sections: readonly SectionName[];
}

function IndexGroup({ title, sections, current }: IndexGroupProps) {
  return (
    <div className="mb-5 last:mb-0">
      <p className="mb-1 px-3 text-s text-muted">{title}</p>
      <ul aria-label={title}>
        {sections.map(({ anchor, name, method }) => (
          <li key={anchor}>
            <a href={`#${anchor}`} aria-current={anchor === current ? 'location' : undefined} className={entry}>
              <span className="min-w-0 flex-1">{name}</span>
              {method && <MethodBadge method={method} isSmall />}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

const entry =
  'flex min-h-8 items-center gap-3 rounded-[6px] px-3 text-m text-muted hover:bg-sunken hover:text-ink aria-[current]:bg-sea-wash aria-[current]:font-medium aria-[current]:text-ink phone:min-h-11';

import { apiVersion } from '@holdfast/contract/src/api-docs.ts';
import { Menu } from 'lucide-react';
import { Brand } from '../../ui/Brand.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { DocsIndex, type DocsIndexProps } from './DocsIndex.tsx';
import { LanguageSwitch } from './LanguageSwitch.tsx';

/** Stays in sight: the language of the samples, and on small screens the way home and the index. */
export function DocsBar({ current }: DocsIndexProps) {
  return (
    <header className="sticky top-0 z-40 border-b border-line bg-paper print:static print:border-0">
      <div className="mx-auto flex max-w-[1280px] flex-wrap items-center justify-between gap-x-4 px-4 sm:px-8 lg:h-14">
        <div className="flex h-14 w-full items-center justify-between sm:w-auto lg:hidden">
          <Brand />
          <span className="sm:hidden print:hidden">
            <IndexMenu current={current} />
          </span>
        </div>
        <span className="text-s text-muted max-lg:hidden">Version {apiVersion}</span>
        <div className="flex w-full items-center gap-3 pb-2 sm:w-auto sm:pb-0 print:hidden">
          <LanguageSwitch />
          <span className="max-sm:hidden lg:hidden">
            <IndexMenu current={current} />
          </span>
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

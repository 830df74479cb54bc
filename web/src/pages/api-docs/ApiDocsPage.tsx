import { apiReference } from '@holdfast/contract/src/api-docs/reference.ts';
import { SkipLink } from '../../layouts/SkipLink.tsx';
import { useCurrentSection, useLinkedPlace } from '../../components/page-sections.ts';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { CallSection } from './CallSection.tsx';
import { DocsBar, DocsSide } from './docs-navigation.tsx';
import { Guides } from './Guides.tsx';
import { sections } from './sections.ts';

/** The API docs, without the site's navigation and footer. */
export function ApiDocsPage() {
  useLinkedPlace();
  const current = useCurrentSection(anchors);
  return (
    <div className="lg:grid lg:grid-cols-[256px_minmax(0,1fr)]">
      <SkipLink />
      <DocsSide current={current} />
      <div className="min-w-0">
        <DocsBar current={current} />
        <main id="content" tabIndex={-1} className="mx-auto max-w-[1280px] outline-none [overflow-anchor:none]">
          <PageTitle className="px-4 pt-10 text-[32px] leading-10 sm:px-8 xl:pt-14">API Docs</PageTitle>
          <Guides />
          {apiReference.map((call) => (
            <CallSection key={call.anchor} call={call} />
          ))}
        </main>
      </div>
    </div>
  );
}

const anchors = sections.map(({ anchor }) => anchor);

import { MethodBadge } from './MethodBadge.tsx';
import { endpointSections, guides, type SectionName } from './sections.ts';

export interface DocsIndexProps {
  /** The section that is being read. */
  readonly current: string | undefined;
}

export function DocsIndex({ current }: DocsIndexProps) {
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

import type { FileToGo } from '@holdfast/contract/src/activity.ts';
import { useTimeZone } from '../../../api/settings.ts';
import { formatFiles, formatSize } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { Moment } from '../../../ui/Moment.tsx';
import { Lost } from './Lost.tsx';

export interface FilesToGoProps {
  /** The first ones, oldest first. */
  readonly files: readonly FileToGo[];
  /** How many may go at all. */
  readonly total: number;
}

export function FilesToGo({ files, total }: FilesToGoProps) {
  const timeZone = useTimeZone();
  if (files.length === 0)
    return (
      <p className="text-muted">
        There is nothing that could go yet: you have no files, or favorites only, and those are never deleted. Later,
        when your account is full, a new upload <Lost>deletes your oldest files for good</Lost>.
      </p>
    );
  return (
    <>
      <p className="text-muted">
        When your account is full, a new upload <Lost>deletes your oldest files for good</Lost>, as many as it needs.
        {files.length === 1 ? ' This one goes first:' : ' These go first, from the top:'}
      </p>
      <ul aria-label="Files that would go first" className="mt-3 divide-y divide-line border-y border-line">
        {files.map((file) => (
          <li key={file.name} className="flex items-baseline gap-3 py-2">
            <span className="min-w-0 flex-1 truncate" title={shownName(file.original_name)}>
              <bdi>{shownName(file.original_name)}</bdi>
            </span>
            <span className="figures text-s whitespace-nowrap">{formatSize(file.size)}</span>
            <span className="w-24 text-right text-s whitespace-nowrap text-muted">
              <Moment at={file.time_added} timeZone={timeZone} />
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-muted">{howMany(files.length, total)} Favorites are never deleted.</p>
    </>
  );
}

function howMany(shown: number, total: number): string {
  if (total > shown) return `After them ${formatFiles(total - shown)} more, ${formatFiles(total)} in all.`;
  return total === 1 ? 'It is the only one that could go.' : `They are all that could go: ${formatFiles(total)}.`;
}

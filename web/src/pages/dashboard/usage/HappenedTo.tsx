import type { ActivityEntry } from '@holdfast/contract/src/activity.ts';
import { shownName } from '../../../lib/shown-name.ts';

/** The stored name of the file, and the original one beneath it, as in the list of files. */
export function HappenedTo({ entry: { name, original_name } }: { readonly entry: ActivityEntry }) {
  return (
    <>
      <span className="block truncate font-mono text-[13.5px]">{name}</span>
      <span className="block truncate text-s text-muted" title={shownName(original_name)}>
        <bdi>{shownName(original_name)}</bdi>
      </span>
    </>
  );
}

import { HoverCard } from 'radix-ui';
import type { ComponentProps, FocusEvent } from 'react';
import { publicLink, publicName } from '../../../lib/link.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { pageContent } from '../../../ui/page-content.ts';
import { BeingChecked } from './BeingChecked.tsx';
import type { RowProps } from './list-props.ts';
import { Preview } from './Preview.tsx';

type FileNameProps = Pick<RowProps, 'file' | 'rule' | 'previews'>;

/** The names of the file, and beside them whether it still waits to be checked. */
export function FileName(props: FileNameProps) {
  if (!props.file.is_pending_scan) return <Names {...props} />;
  return (
    <div className="flex items-center gap-2 max-[860px]:flex-col max-[860px]:items-start max-[860px]:gap-1">
      <Names {...props} />
      <BeingChecked />
    </div>
  );
}

/** The stored name, the original one beneath it, and a floating preview on hover and on keyboard focus. */
function Names({ file, rule, previews }: FileNameProps) {
  if (!previews) return <NameLink file={file} rule={rule} title={shownName(file.original_name)} />;
  return (
    <HoverCard.Root openDelay={200} closeDelay={100}>
      <HoverCard.Trigger asChild onFocus={keepClosedUnlessByKey}>
        <NameLink file={file} rule={rule} />
      </HoverCard.Trigger>
      <HoverCard.Portal container={pageContent()}>
        <HoverCard.Content side="bottom" align="start" sideOffset={4} collisionPadding={16} className={panel}>
          <Preview file={file} rule={rule} />
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  );
}

function NameLink({ file, rule, ...rest }: Pick<RowProps, 'file' | 'rule'> & ComponentProps<'a'>) {
  return (
    <a
      {...rest}
      href={publicLink(file, rule)}
      target="_blank"
      rel="noreferrer"
      className="group block w-fit max-w-full min-w-0 py-1"
    >
      <span className="block truncate font-mono text-[13.5px] group-hover:text-sea group-hover:underline group-hover:underline-offset-4">
        <bdi>{shownName(publicName(file, rule))}</bdi>
      </span>
      <span className="block truncate text-s text-muted">
        <bdi>{shownName(file.original_name)}</bdi>
      </span>
    </a>
  );
}

/** A finger that opens the file gives the focus too, and has no way to close what covers the list afterwards. */
function keepClosedUnlessByKey(event: FocusEvent<HTMLElement>): void {
  if (!event.currentTarget.matches(':focus-visible')) event.preventDefault();
}

const panel = 'z-50 w-72 animate-appear overflow-hidden rounded-m border border-edge bg-surface text-s';

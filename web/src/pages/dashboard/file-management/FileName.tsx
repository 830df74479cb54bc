import { File as FileIcon } from 'lucide-react';
import { HoverCard } from 'radix-ui';
import { type ComponentProps, type FocusEvent, useId, useState } from 'react';
import { Picture } from '../../../components/Picture.tsx';
import { isImage } from '../../../lib/is-image.ts';
import { previewLink, publicLink, publicName } from '../../../lib/link.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { pageContent } from '../../../ui/page-content.ts';
import { Tip, useTip } from '../../../ui/Tip.tsx';
import type { FactsProps, RowProps } from './list-props.ts';

type FileNameProps = Pick<FactsProps, 'file' | 'rule' | 'previews' | 'tabIndex'>;

/** The file's names, and a mark while it waits to be scanned. */
export function FileName(props: FileNameProps) {
  if (!props.file.is_pending_scan)
    return props.previews ? (
      <div className="flex items-center gap-3">
        <Thumbnail file={props.file} rule={props.rule} />
        <Names {...props} />
      </div>
    ) : (
      <Names {...props} />
    );
  return (
    <div className="flex items-center gap-2 max-[860px]:flex-col max-[860px]:items-start max-[860px]:gap-1">
      <Names {...props} />
      <BeingChecked />
    </div>
  );
}

/** Larger images would cost more than they show: the whole file is loaded. */
const mostThumbnailBytes = 2_000_000;

function Thumbnail({ file, rule }: Pick<RowProps, 'file' | 'rule'>) {
  const [failed, setFailed] = useState(false);
  return (
    <span
      aria-hidden
      className="grid size-9 shrink-0 place-items-center overflow-hidden rounded-s bg-sunken text-muted"
    >
      {isImage(file) && file.size <= mostThumbnailBytes && !failed ? (
        <img
          src={previewLink(file, rule)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(true)}
          className="size-full object-cover"
        />
      ) : (
        <FileIcon className="size-4" />
      )}
    </span>
  );
}

/** The stored name with the original one below it, and a floating preview on hover and on keyboard focus. */
function Names({ file, rule, previews, ...stop }: FileNameProps) {
  if (!previews) return <NameLink file={file} rule={rule} title={shownName(file.original_name)} {...stop} />;
  return (
    <HoverCard.Root openDelay={200} closeDelay={100}>
      <HoverCard.Trigger asChild onFocus={keepClosedUnlessByKey}>
        <NameLink file={file} rule={rule} {...stop} />
      </HoverCard.Trigger>
      <HoverCard.Portal container={pageContent()}>
        <HoverCard.Content side="bottom" align="start" sideOffset={4} collisionPadding={16} className={panel}>
          <Preview file={file} rule={rule} />
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  );
}

const panel = 'z-50 w-72 animate-appear overflow-hidden rounded-m border border-edge bg-surface text-s';

/**
 * A tap that opens the file also moves the focus to it. The preview would then cover the list, and touch cannot close
 * it.
 */
function keepClosedUnlessByKey(event: FocusEvent<HTMLElement>): void {
  if (!event.currentTarget.matches(':focus-visible')) event.preventDefault();
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
      <span className="block truncate font-mono text-[12.5px] text-muted">
        <bdi>{shownName(publicName(file, rule))}</bdi>
      </span>
      <span className="block truncate font-medium group-hover:text-sea group-hover:underline group-hover:underline-offset-4 max-[860px]:line-clamp-2 max-[860px]:wrap-anywhere max-[860px]:whitespace-normal">
        <bdi>{shownName(file.original_name)}</bdi>
      </span>
    </a>
  );
}

type PreviewProps = Pick<RowProps, 'file' | 'rule'>;

function Preview({ file, rule }: PreviewProps) {
  return (
    <>
      {isImage(file) ? (
        <Picture src={previewLink(file, rule)} name={shownName(file.original_name)} />
      ) : (
        <p className="px-3 pt-3 text-muted">Preview unavailable for this file type</p>
      )}
      <p className="px-3 py-2.5 break-words">
        <bdi>{shownName(file.original_name)}</bdi>
      </p>
    </>
  );
}

/**
 * Marks a file that waits for the malware scanner. The hint opens on hover and tap, and is always available to screen
 * readers.
 */
function BeingChecked() {
  const id = useId();
  const { anchor, close, handlers } = useTip();
  return (
    <span
      className="shrink-0 rounded-s bg-buoy-wash px-1.5 text-s font-medium whitespace-nowrap text-buoy-ink"
      {...handlers}
    >
      Being checked
      <span className="sr-only">. {hint}</span>
      {anchor && (
        <Tip id={id} anchor={anchor} onClose={close}>
          {hint}
        </Tip>
      )}
    </span>
  );
}

const hint = 'Its link will work after a malware check.';

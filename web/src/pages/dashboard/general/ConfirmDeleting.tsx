import type { DeletionPreview, PreviewedFile } from '@holdfast/contract/src/activity.ts';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTimeZone } from '../../../api/account/settings.ts';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import { formatSize } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { Button } from '../../../ui/Button.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';

export interface ConfirmDeletingProps {
  readonly title: string;
  readonly agree: string;
  readonly files: {
    readonly data: DeletionPreview | undefined;
    readonly error: Error | null;
    readonly isFetching: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  readonly children: (files: DeletionPreview) => ReactNode;
  readonly onAnswer: (yes: boolean) => void;
}

/** Confirmation before turning on a rule that deletes files. It lists the files first; Escape changes nothing. */
export function ConfirmDeleting({ title, agree, files, children, onAnswer }: ConfirmDeletingProps) {
  const { data, error, isFetching, refetch } = files;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
    // Focuses the heading, so that reading starts at the top and not at the first button, which may be below the fold.
    heading.current?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={() => onAnswer(dialog.current?.returnValue === agreed)}
      className={panel}
    >
      <div className="p-5">
        <h2 ref={heading} id={id} tabIndex={-1} className="text-title-s font-semibold outline-none">
          {title}
        </h2>
        <div className="mt-2" aria-busy={isFetching}>
          {data && children(data)}
          {!data && isFetching && <SkeletonFiles />}
          {!data && !isFetching && error && (
            <LoadFailure
              title="The files that would be deleted first could not be loaded"
              error={error}
              onRetry={() => {
                void refetch();
                heading.current?.focus();
              }}
            />
          )}
        </div>
        <div className="mt-5 flex flex-wrap-reverse justify-end gap-2">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button variant="danger" aria-disabled={!data} onClick={() => data && dialog.current?.close(agreed)}>
            {agree}
          </Button>
        </div>
      </div>
    </dialog>
  );
}

/** Return value of a confirmed dialog. Any other way of closing it leaves the return value unset. */
const agreed = 'agreed';

const panel =
  'm-auto max-h-[calc(100dvh-32px)] w-[min(520px,calc(100vw-32px))] overflow-y-auto overscroll-contain rounded-m border border-edge bg-surface text-m text-ink ' +
  'max-[860px]:[--control:44px] backdrop:bg-[oklch(0.2_0.02_215_/_0.45)]';

function SkeletonFiles() {
  return (
    <>
      <output className="text-muted">Looking up which files would be deleted first...</output>
      <div className="mt-3 grid gap-4 border-y border-line py-3">
        <Skeleton className="h-3.5 w-56" />
        <Skeleton className="h-3.5 w-48" />
        <Skeleton className="h-3.5 w-64 max-w-full" />
      </div>
    </>
  );
}

interface FileLinesProps {
  readonly label: string;
  readonly files: readonly PreviewedFile[];
}

export function FileLines({ label, files }: FileLinesProps) {
  const timeZone = useTimeZone();
  return (
    <ul aria-label={label} className="mt-3 divide-y divide-line border-y border-line">
      {files.map((file) => (
        <li key={file.name} className="flex items-baseline gap-3 py-2">
          <span className="min-w-0 flex-1 truncate" title={shownName(file.original_name)}>
            <bdi>{shownName(file.original_name)}</bdi>
          </span>
          <span className="figures text-s whitespace-nowrap">{formatSize(file.size)}</span>
          <span className="w-24 text-right text-s whitespace-nowrap text-muted">
            <RelativeTime at={file.time_added} timeZone={timeZone} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Emphasizes the part of a sentence that states what cannot be undone. */
export function DangerText({ children }: { readonly children: string }) {
  return <strong className="font-medium text-danger">{children}</strong>;
}

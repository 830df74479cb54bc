import type { DeletionPreview, PreviewedFile } from '@holdfast/contract/src/activity.ts';
import { type ReactNode, useRef } from 'react';
import { useTimeZone } from '../../../api/account/settings.ts';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import { formatSize } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx';
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
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Dialog title={title} titleRef={heading} wide onClose={() => onAnswer(false)}>
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
      <DialogButtons>
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        <Button variant="final" aria-disabled={!data} onClick={() => data && onAnswer(true)}>
          {agree}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

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

import type { Account } from '@holdfast/contract/src/account.ts';
import { RotateCw, X } from 'lucide-react';
import { memo } from 'react';
import { formatSize } from '../../../lib/format.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { fileWarning } from './check-files.ts';
import { canRetry, type QueueEvent, type QueueItem } from './queue.ts';
import { UploadOutcome } from './UploadOutcome.tsx';

export interface UploadRowProps {
  readonly item: QueueItem;
  readonly dispatch: (event: QueueEvent) => void;
  readonly account: Account;
}

/** Only the row whose item changed is drawn again: a queue may hold thousands. */
export const UploadRow = memo(function UploadRow({ item, dispatch, account }: UploadRowProps) {
  const { file, status } = item;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-3 [contain-intrinsic-size:auto_76px] [content-visibility:auto] sm:px-5">
      <div className="min-w-0">
        <div className="flex items-baseline justify-between gap-4">
          <span className="truncate" title={file.name}>
            {file.name}
          </span>
          <span className="figures shrink-0 text-s">{formatSize(file.size)}</span>
        </div>
        <UploadOutcome item={item} warning={status === 'pending' ? fileWarning(file, account) : undefined} />
      </div>
      <div className="-mr-2 flex">
        {canRetry(item) && (
          <IconButton label={`Retry ${file.name}`} onClick={() => dispatch({ type: 'retry', id: item.id })}>
            <RotateCw />
          </IconButton>
        )}
        <DropButton item={item} dispatch={dispatch} />
      </div>
    </li>
  );
});

/** A file on its way is canceled and stays, so that it can be tried again; any other leaves the list. */
function DropButton({ item, dispatch }: Pick<UploadRowProps, 'item' | 'dispatch'>) {
  const uploading = item.status === 'uploading';
  return (
    <IconButton
      label={`${uploading ? 'Cancel' : 'Remove'} ${item.file.name}`}
      onClick={() => dispatch({ type: uploading ? 'cancel' : 'remove', id: item.id })}
    >
      <X />
    </IconButton>
  );
}

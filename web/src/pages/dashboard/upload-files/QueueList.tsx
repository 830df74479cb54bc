import { useMemo, useState } from 'react';
import { useMedia } from '../../../lib/media.ts';
import { formatFiles } from '../../../lib/format.ts';
import { useDrawnRows } from '../../../ui/use-drawn-rows.ts';
import type { FileRules } from './check-files.ts';
import { foldedCount, unfoldedIds } from './fold.ts';
import { uploads } from './upload-queue-instance.ts';
import { UploadRow } from './UploadRow.tsx';
import { useQueue } from './use-queue.ts';

/**
 * In a long batch the first files that are done are folded into one line, so that the file that is uploading stays in
 * view. Nothing is folded under the pointer or the focus.
 */
export function QueueList({ rules }: { readonly rules: FileRules }) {
  const all = useQueue((queue) => queue.ids);
  const running = useQueue((queue) => queue.running);
  const [isOpen, setIsOpen] = useState(false);
  const { count, handlers } = useFolded();
  const folded = isOpen ? 0 : count;
  const ids = useMemo(() => (folded === 0 ? all : unfoldedIds(uploads.read().items, folded)), [all, folded]);
  const rowHeight = useMedia('(max-width: 639.98px)') ? 76 : 57;
  const { place, measure, rows, rest } = useDrawnRows(ids, rowHeight);
  return (
    <>
      {count > 0 && (
        <p className="flex items-center justify-between gap-4 border-b border-line px-4 py-1 text-s text-muted sm:px-5">
          <span>{running ? `${formatFiles(count)} uploaded` : 'Uploaded files'}</span>
          <button
            type="button"
            aria-expanded={isOpen}
            className="min-h-control px-2 text-sea underline-offset-4 hover:underline"
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Show'}
          </button>
        </p>
      )}
      <ul ref={place} aria-label="Upload queue" style={{ paddingBottom: rest }} {...handlers}>
        {rows.map(({ index, gap }) => (
          <li
            key={ids[index]}
            ref={measure}
            data-index={index}
            aria-setsize={ids.length}
            aria-posinset={index + 1}
            className="border-b border-line last:border-0"
            style={{ marginTop: gap }}
          >
            <UploadRow id={ids[index] ?? 0} rules={rules} />
          </li>
        ))}
      </ul>
    </>
  );
}

function useFolded() {
  const wanted = useQueue(foldedCount);
  const [count, setCount] = useState(wanted);
  const [isHeld, setIsHeld] = useState(false);
  // Less than before after a removal.
  if (count !== wanted && (!isHeld || wanted < count)) setCount(wanted);
  const handlers = {
    onPointerEnter: () => setIsHeld(true),
    onPointerLeave: () => setIsHeld(false),
    onFocus: () => setIsHeld(true),
    onBlur: () => setIsHeld(false),
  };
  return { count, handlers };
}

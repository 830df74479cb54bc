import { useEffect, useEffectEvent } from 'react';
import { serverMessage } from '../api/client/errors.ts';
import { useDeleteFiles } from '../api/files.ts';
import { isTyping } from '../lib/is-typing.ts';
import { toast } from '../ui/toast.tsx';
import { useRestoration } from './use-restoration.ts';

/** Deletes files without a question. A toast offers to undo it. */
export function useDeletion() {
  const { mutateAsync, isPending } = useDeleteFiles();
  const { restore } = useRestoration();
  /** Resolves with the names of the deleted files. */
  const remove = async (names: readonly string[]): Promise<readonly string[]> => {
    try {
      const answer = await mutateAsync(names);
      if (!answer) return [];
      const { deleted } = answer;
      if (deleted.length > 0) offerUndo(deleted.length, () => void restore(deleted));
      else toast.success('Deleted 0 file(s)');
      return deleted;
    } catch (error) {
      toast.error(serverMessage(error, 'Failed to delete files'));
      return [];
    }
  };
  return { remove, isDeleting: isPending } as const;
}

const offeredMs = 10_000;

function offerUndo(count: number, undo: () => void): void {
  const message = `Deleted ${count} file(s)`;
  toast.success(
    ({ id, visible }) => (
      <UndoMessage
        message={message}
        offered={visible}
        onUndo={() => {
          toast.dismiss(id);
          undo();
        }}
      />
    ),
    { duration: offeredMs },
  );
}

interface UndoMessageProps {
  readonly message: string;
  readonly offered: boolean;
  readonly onUndo: () => void;
}

/** The newest is last: Ctrl-Z undoes that one. */
const offers: object[] = [];

function UndoMessage({ message, offered, onUndo }: UndoMessageProps) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    if (event.defaultPrevented || isTyping(event.target)) return;
    event.preventDefault();
    onUndo();
  });
  useEffect(() => {
    if (!offered) return;
    const offer = {};
    offers.push(offer);
    const listen = (event: KeyboardEvent) => offers.at(-1) === offer && onKey(event);
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
      offers.splice(offers.indexOf(offer), 1);
    };
  }, [offered]);
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span>{message}</span>
      <button
        type="button"
        disabled={!offered}
        aria-keyshortcuts="Control+Z"
        title="Undo (Ctrl+Z)"
        onClick={onUndo}
        className="-my-2 min-h-control rounded-m px-1.5 font-medium text-sea underline underline-offset-4 hover:text-sea-strong"
      >
        Undo
      </button>
    </span>
  );
}

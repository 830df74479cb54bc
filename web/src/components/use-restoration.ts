import { serverMessage } from '../api/client/errors.ts';
import { useRestoreFiles } from '../api/files.ts';
import { toast } from '../ui/toast.tsx';

/** Restores deleted files, and says what came back. */
export function useRestoration() {
  const { mutateAsync, isPending, asked } = useRestoreFiles();
  const restore = async (names: readonly string[]) => {
    try {
      const answer = await mutateAsync(names);
      if (answer) tellRestored(answer.restored.length, names.length);
    } catch (error) {
      toast.error(serverMessage(error, 'Failed to restore files'));
    }
  };
  return { restore, restoring: isPending ? asked : undefined } as const;
}

function tellRestored(restored: number, of: number): void {
  if (restored === of) toast.success(`Restored ${restored} file(s)`);
  else if (restored > 0) toast(`Restored ${restored} of ${of} files. The others can no longer be restored.`);
  else toast.error(of === 1 ? 'This file can no longer be restored' : 'These files can no longer be restored');
}

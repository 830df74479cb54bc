import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDeleteAccount } from '../../../api/account/account-changes.ts';
import { serverMessage } from '../../../api/client/errors.ts';
import { useGoodbye } from '../../../api/session/sign-out.ts';
import { askToStopUploads, dropUploads } from '../../../api/upload/upload-guard.ts';
import { useLeftSignal } from '../../../lib/left-signal.ts';
import { toast } from '../../../ui/toast.tsx';

export type AccountDeletion = ReturnType<typeof useDeletion>;

export function useDeletion(onDeleted: () => void) {
  const [error, setError] = useState<string>();
  const navigate = useNavigate();
  const leftSignal = useLeftSignal();
  const { mutateAsync, isPending, isSuccess } = useDeleteAccount();
  const goodbye = useGoodbye(() => navigate({ to: '/', replace: true }));
  const run = async () => {
    setError(undefined);
    if (!(await askToStopUploads('deletion', leftSignal()))) return;
    try {
      const email = await mutateAsync();
      if (email === undefined) return;
      void goodbye.mutateAsync();
      dropUploads();
      toast.success(`Account ${email} deleted successfully. You will be logged out.`, { duration: 5000 });
      onDeleted();
    } catch (failure) {
      toast.error(serverMessage(failure, 'Failed to delete account'));
      setError('Failed to delete account. Please try again.');
    }
  };
  return { run, error, busy: isPending, done: isSuccess };
}

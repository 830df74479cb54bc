import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDeleteAccount } from '../../../api/delete-account.ts';
import { serverMessage } from '../../../api/errors.ts';
import { useForgetAccount, useSignOut } from '../../../api/sign-out.ts';
import { askToStopUploads, dropUploads } from '../../../api/upload-stake.ts';
import { toast } from '../../../ui/toast.ts';

export type Deletion = ReturnType<typeof useDeletion>;

export function useDeletion(onDeleted: () => void) {
  const [error, setError] = useState<string>();
  const { mutateAsync, isPending, isSuccess } = useDeleteAccount();
  const leave = useLeaveForGood();
  const run = async () => {
    setError(undefined);
    if (!(await askToStopUploads('deletion'))) return;
    try {
      const email = await mutateAsync();
      dropUploads();
      toast.success(`Account ${email} deleted successfully. You will be logged out.`, { duration: 5000 });
      onDeleted();
      // Spec section 9: a second, so that what happened can be read where it happened.
      setTimeout(() => void leave(), 1000);
    } catch (failure) {
      toast.error(serverMessage(failure, 'Failed to delete account'));
      setError('Failed to delete account. Please try again.');
    }
  };
  return { run, error, busy: isPending, done: isSuccess };
}

/** The account's sessions ended with it: whatever the server says to the logout, this browser is out. */
function useLeaveForGood() {
  const signOut = useSignOut();
  const forget = useForgetAccount();
  const navigate = useNavigate();
  return async () => {
    await signOut.mutateAsync().catch(console.error);
    // Home first: forgetting the account on a dashboard page would send the visitor to sign-in instead.
    await navigate({ to: '/', replace: true });
    forget();
  };
}

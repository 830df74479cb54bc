import { useNavigate } from '@tanstack/react-router';
import { errorMessage } from '../api/errors.ts';
import { useForgetAccount, useSignOut } from '../api/sign-out.ts';
import { askToStopUploads, dropUploads } from '../api/upload-stake.ts';
import { toast } from '../ui/toast.ts';

/** Logout: the toast, then home (spec section 2). Where it would stop uploads the person is asked first. */
export function useLeave(): () => Promise<void> {
  const signOut = useSignOut();
  const forget = useForgetAccount();
  const navigate = useNavigate();
  const leave = async () => {
    dropUploads();
    toast.success('You have been logged out!');
    // Home first: forgetting the account on a dashboard page would send the visitor to sign-in instead.
    await navigate({ to: '/' });
    forget();
  };
  return async () => {
    if (!(await askToStopUploads('logout'))) return;
    signOut.mutate(undefined, {
      onSuccess: leave,
      onError: (error) => {
        console.error(error);
        toast.error(errorMessage(error));
      },
    });
  };
}

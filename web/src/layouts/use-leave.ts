import { useNavigate } from '@tanstack/react-router';
import { errorMessage } from '../api/errors.ts';
import { useForgetAccount, useSignOut } from '../api/sign-out.ts';
import { toast } from '../ui/toast.ts';

/** Logout: the toast, then home (spec section 2). */
export function useLeave(): () => void {
  const signOut = useSignOut();
  const forget = useForgetAccount();
  const navigate = useNavigate();
  const leave = async () => {
    toast.success('You have been logged out!');
    // Home first: forgetting the account on a dashboard page would send the visitor to sign-in instead.
    await navigate({ to: '/' });
    forget();
  };
  return () =>
    signOut.mutate(undefined, {
      onSuccess: leave,
      onError: (error) => {
        console.error(error);
        toast.error(errorMessage(error));
      },
    });
}

import { serverMessage } from '../../../api/errors.ts';
import { type SessionsToEnd, useEndSessions } from '../../../api/sessions.ts';
import { toast } from '../../../ui/toast.ts';

/** `revoking` is what is being revoked at this moment. */
export function useRevoke() {
  const { mutateAsync, isPending, variables } = useEndSessions();
  const revoke = async (which: SessionsToEnd) => {
    try {
      const { ended } = await mutateAsync(which);
      toast.success(ended === 1 ? 'Session revoked' : `${ended} sessions revoked`);
    } catch (failure) {
      toast.error(serverMessage(failure, 'Failed to revoke the session'));
    }
  };
  return { revoke, revoking: isPending ? variables : undefined };
}

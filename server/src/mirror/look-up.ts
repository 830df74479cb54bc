import { createLookUp, type LookUp } from '../delivery/look-up.ts';
import { DatabaseUnavailable } from '../storage/db/database.ts';
import { logSometimes } from '../lib/log-sometimes.ts';
import type { FilesContext } from './context.ts';
import { inTime } from './replica.ts';

/** Milliseconds. The replica is near. */
const patience = 500;

type Parts = Pick<FilesContext, 'primary' | 'replica' | 'replicaWatch' | 'log'>;

/**
 * Looks links up on the replica. The primary is asked about names that it does not know, because they may have been
 * uploaded a moment ago, and about all names while the replica is away, slow or too far behind.
 */
export function createMirrorLookUp({ primary, replica, replicaWatch, log }: Parts): LookUp {
  const onReplica = createLookUp(replica);
  const onPrimary = createLookUp(primary);
  const logFailure = logSometimes(log, 'the replica could not look a link up; the primary is asked');
  return async (name) => {
    if (!replicaWatch.isFresh()) return onPrimary(name);
    const found = await inTime(onReplica(name), patience).catch((error: unknown) => {
      // A standby also cancels statements that stand in the way of the changes that it has to make.
      if (!(error instanceof DatabaseUnavailable)) throw error;
      logFailure(error);
    });
    return found ?? onPrimary(name);
  };
}

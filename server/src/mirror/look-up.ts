import { createLookUp, type LookUp } from '../delivery/look-up.ts';
import { DatabaseUnavailable } from '../storage/db/database.ts';
import type { FilesContext } from './context.ts';
import { inTime } from './replica.ts';

const patience = 500;

type Parts = Pick<FilesContext, 'primary' | 'replica' | 'replicaWatch' | 'log'>;

/**
 * The primary is asked about names that the replica does not know, which may be new, and about all names while the
 * replica is away, slow or too far behind.
 */
export function createMirrorLookUp({ primary, replica, replicaWatch, log }: Parts): LookUp {
  const onReplica = createLookUp(replica);
  const onPrimary = createLookUp(primary);
  return async (name) => {
    if (!replicaWatch.isFresh()) return onPrimary(name);
    const found = await inTime(onReplica(name), patience).catch((error: unknown) => {
      // A standby also cancels statements that stand in the way of changes.
      if (!(error instanceof DatabaseUnavailable)) throw error;
      log.warn({ err: error }, 'the replica could not look a link up; the primary is asked');
    });
    return found ?? onPrimary(name);
  };
}

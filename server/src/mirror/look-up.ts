import type { FilesContext } from '../context.ts';
import { createLookUp, LinkUndecided, type LookUp, type PublicFile } from '../delivery/look-up.ts';
import { DatabaseUnavailable } from '../engines/database/database.ts';
import { logSometimes } from '../lib/log-sometimes.ts';
import { createUnknownNames } from './unknown-names.ts';

/** Milliseconds. The replica is near. */
const patienceWithReplica = 500;
const patienceWithPrimary = 1_500;

type Parts = Pick<FilesContext, 'primary' | 'replica' | 'replicaWatch' | 'changes' | 'clock' | 'log'>;

/**
 * Looks links up on the replica. The primary is asked about names that it does not know, because they may have been
 * uploaded a moment ago, and about all names while the replica is away, slow or too far behind. If the primary is away too,
 * a slow replica gets more time.
 */
export function createMirrorLookUp({ primary, replica, replicaWatch, changes, clock, log }: Parts): LookUp {
  const onReplica = createLookUp({ db: replica, changes }, { remembers: false });
  const onPrimary = createLookUp({ db: primary, changes }, { remembers: false });
  const unknown = createUnknownNames(clock);
  const logFailure = logSometimes(log, 'the replica could not look a link up; the primary is asked');
  const askPrimary = (name: string) => inTime(onPrimary(name), patienceWithPrimary);

  const askAboutUnknown = async (name: string): Promise<PublicFile | undefined> => {
    if (unknown.has(name)) return undefined;
    if (!unknown.mayAsk()) throw new LinkUndecided(new Error('too many links that the replica does not know'));
    try {
      const file = await askPrimary(name);
      if (!file) unknown.add(name);
      return file;
    } catch (error) {
      throw error instanceof DatabaseUnavailable ? new LinkUndecided(error) : error;
    }
  };
  return async (name) => {
    if (!replicaWatch.isFresh()) return askPrimary(name);
    const answer = onReplica(name);
    try {
      return (await inTime(answer, patienceWithReplica)) ?? (await askAboutUnknown(name));
    } catch (error) {
      if (error instanceof LinkUndecided) throw error;
      // A standby also cancels statements that stand in the way of the changes that it has to make.
      logFailure(error);
    }
    try {
      return await askPrimary(name);
    } catch (error) {
      // The replica may only have been slow.
      const file = await inTime(answer, patienceWithPrimary).catch(() => undefined);
      if (!file) throw error;
      return file;
    }
  };
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new DatabaseUnavailable(`no response in ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

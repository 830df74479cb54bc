import { malwareEmail } from '../email/templates.ts';
import type { Context } from '../context.ts';
import { newRowId } from '../lib/row-id.ts';
import { gatherEmail, delayEmails, releaseEmails } from '../email/gather-email.ts';
import type { TellOwner, Withheld } from './remove-bytes-everywhere.ts';

export interface MalwareEmails {
  /** Returns the callback that notifies owners of the quarantine of these bytes. */
  about(sha256: string): TellOwner;
  /** Must be called at least every hour while further quarantines may follow. */
  wait(): Promise<void>;
  /** Sends the gathered emails. */
  send(): Promise<void>;
}

interface Gathered {
  readonly id: string;
  /** Keyed by digest, so that a retried transaction counts once. */
  readonly withheld: Map<string, Withheld>;
}

/** Sends each owner one email for all quarantines of a run, however many digests they cover. */
export function oneEmailPerOwner(context: Context): MalwareEmails {
  const emails = new Map<string, Gathered>();
  const ids = () => [...emails.values()].map(({ id }) => id);
  return {
    about: (sha256) => async (tx, owner, withheld) => {
      const write = (email: Gathered) => {
        emails.set(owner.id, email);
        email.withheld.set(sha256, withheld);
        return gatherEmail(
          { ...context, db: tx },
          email.id,
          malwareEmail(context, owner.email, sumOf([...email.withheld.values()])),
        );
      };
      const begin = (): Gathered => ({ id: newRowId(context.clock.now()), withheld: new Map() });
      if (!(await write(emails.get(owner.id) ?? begin()))) await write(begin());
    },
    wait: () => delayEmails(context, ids()),
    send: () => releaseEmails(context, ids()),
  };
}

const named = 20;

const sumOf = (all: readonly Withheld[]): Withheld => ({
  files: all.reduce((sum, { files }) => sum + files, 0),
  some: all.flatMap(({ some }) => some).slice(0, named),
});

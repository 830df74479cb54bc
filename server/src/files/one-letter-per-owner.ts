import { malwareLetter } from '../accounts/letters.ts';
import type { Context } from '../context.ts';
import { newRowId } from '../lib/row-id.ts';
import { gatherLetter, keepLetters, releaseLetters } from '../post/gather-letter.ts';
import type { TellOwner, Withheld } from './remove-bytes-everywhere.ts';

export interface MalwareLetters {
  /** How owners are told of the quarantine of these bytes. */
  about(sha256: string): TellOwner;
  /** To be called at least every hour while further quarantines may follow. */
  wait(): Promise<void>;
  /** Sends what was gathered. */
  send(): Promise<void>;
}

interface Gathered {
  readonly id: string;
  /** By digest: a transaction that is tried again counts once. */
  readonly withheld: Map<string, Withheld>;
}

/** Tells each owner once of all quarantines of one run, however many bytes they are about. */
export function oneLetterPerOwner(context: Context): MalwareLetters {
  const letters = new Map<string, Gathered>();
  const ids = () => [...letters.values()].map(({ id }) => id);
  return {
    about: (sha256) => async (tx, owner, withheld) => {
      const write = (letter: Gathered) => {
        letters.set(owner.id, letter);
        letter.withheld.set(sha256, withheld);
        return gatherLetter(
          { ...context, db: tx },
          letter.id,
          malwareLetter(context, owner.email, sumOf([...letter.withheld.values()])),
        );
      };
      const begin = (): Gathered => ({ id: newRowId(context.clock.now()), withheld: new Map() });
      if (!(await write(letters.get(owner.id) ?? begin()))) await write(begin());
    },
    wait: () => keepLetters(context, ids()),
    send: () => releaseLetters(context, ids()),
  };
}

const named = 20;

const sumOf = (all: readonly Withheld[]): Withheld => ({
  files: all.reduce((sum, { files }) => sum + files, 0),
  some: all.flatMap(({ some }) => some).slice(0, named),
});

import type { Context } from '../context.ts';
import { seconds } from '../lib/clock.ts';
import { claimLetters, type LetterKind } from './claim-letters.ts';
import { deliver } from './deliver.ts';

const atOnce = 5;
/**
 * One place is always left for the other kind: a code does not wait behind a thousand letters of the night, and these do
 * not wait for ever behind codes.
 */
const atOnceOfKind = 4;
const lookEvery = seconds(5);
/** Sending begins after the answer is out, or its time would tell who got a letter. */
const restMs = 50;

export interface Post extends AsyncDisposable {
  /**
   * To be called after a commit that may have queued letters: they leave within moments, what expires before all others,
   * and nobody waits for it.
   */
  wake(): void;
  /** Sends what is due now, and resolves when each letter is handed over or waits for another try. */
  flush(): Promise<void>;
}

export type PostParts = Pick<Context, 'db' | 'mail' | 'clock' | 'secret' | 'log' | 'reports'>;

/**
 * Sends the letters that wait in the database. Several processes may do so at once: each letter is taken by one. What
 * cannot be sent is tried again, ever more seldom, for three days; so a mail server that is away loses nothing.
 */
export function openPost(parts: PostParts): Post {
  const handedOver = new Set<string>();
  let closing = false;
  let waking: NodeJS.Timeout | undefined;
  let asked = 0;
  let last: Promise<void> = Promise.resolve();
  let looking = Promise.withResolvers<void>();
  const lookAgain = () => {
    looking.resolve();
    looking = Promise.withResolvers();
  };
  const sendDue = async () => {
    const sending = { expiring: new Set<Promise<void>>(), lasting: new Set<Promise<void>>() };
    const inFlight = () => [...sending.expiring, ...sending.lasting];
    let failed = false;
    const fail = (error: unknown) => {
      if (failed) return;
      failed = true;
      parts.log.warn({ err: error }, 'the database failed the post, which looks again soon');
      parts.reports.report(error, 'post');
    };
    const begin = async (kind: LetterKind) => {
      if (closing || failed) return 0;
      const free = Math.min(atOnce - inFlight().length, atOnceOfKind - sending[kind].size);
      const letters = await claimLetters(parts, kind, free);
      for (const letter of letters) {
        const sent = deliver(parts, letter, handedOver)
          .catch(fail)
          .finally(() => sending[kind].delete(sent));
        sending[kind].add(sent);
      }
      return letters.length;
    };
    const beginDue = async () => (await begin('expiring')) + (await begin('lasting'));
    for (;;) {
      const wanted = looking.promise;
      const begun = await beginDue().catch(fail);
      if (!begun && inFlight().length === 0) return;
      if (inFlight().length > 0) await Promise.race([...inFlight(), wanted]);
    }
  };
  const flush = async () => {
    asked += 1;
    last = last.then(() => (closing ? undefined : sendDue())).finally(() => (asked -= 1));
    await last;
  };
  const timer = setInterval(() => void (asked === 0 ? flush() : lookAgain()), lookEvery).unref();
  return {
    wake() {
      waking ??= setTimeout(() => {
        waking = undefined;
        lookAgain();
        void (asked < 2 && flush());
      }, restMs).unref();
    },
    flush,
    async [Symbol.asyncDispose]() {
      closing = true;
      clearInterval(timer);
      clearTimeout(waking);
      await last;
    },
  };
}

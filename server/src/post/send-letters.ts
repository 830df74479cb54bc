import type { Context } from '../context.ts';
import { seconds } from '../lib/clock.ts';
import { claimLetters } from './claim-letters.ts';
import { deliver } from './deliver.ts';

const atOnce = 5;
const lookEvery = seconds(5);
/** Sending begins after the answer is out, or its time would tell who got a letter. */
const restMs = 50;

export interface Post extends AsyncDisposable {
  /** To be called after a commit that may have queued letters: they leave within moments, and nobody waits for it. */
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
  const sendDue = async () => {
    try {
      for (let letters = await claimLetters(parts, atOnce); letters.length > 0;) {
        const ends = await Promise.allSettled(letters.map((letter) => deliver(parts, letter, handedOver)));
        const failed = ends.find((end) => end.status === 'rejected');
        if (failed) throw failed.reason;
        letters = closing ? [] : await claimLetters(parts, atOnce);
      }
    } catch (error) {
      parts.log.warn({ err: error }, 'the database failed the post, which looks again soon');
      parts.reports.report(error, 'post');
    }
  };
  const flush = async () => {
    asked += 1;
    last = last.then(() => (closing ? undefined : sendDue())).finally(() => (asked -= 1));
    await last;
  };
  const timer = setInterval(() => void (asked === 0 && flush()), lookEvery).unref();
  return {
    wake() {
      waking ??= setTimeout(() => {
        waking = undefined;
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

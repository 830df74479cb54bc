import { DatabaseReadOnly } from '../storage/db/database.ts';
import { seconds } from '../lib/clock.ts';
import { claimEmails, type EmailKind } from './claim-emails.ts';
import { sendEmail, type EmailWorkerParts } from './send-email.ts';

const atOnce = 5;
/** One slot is kept for the other kind, so that codes do not wait behind a thousand nightly emails. */
const atOnceOfKind = 4;
const lookEvery = seconds(5);
/** Until the response is sent: its time would otherwise reveal who was sent an email. */
const restMs = 50;

export interface EmailWorker extends AsyncDisposable {
  wake(): void;
  /** Resolves when each due email is sent or waits for another attempt. */
  flush(): Promise<void>;
}

export function openEmailWorker(parts: EmailWorkerParts): EmailWorker {
  const sentEmails = new Set<string>();
  const beingSent = new Set<string>();
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
      // The queue is moved with the service, and sent from there.
      if (error instanceof DatabaseReadOnly) return;
      parts.log.warn({ err: error }, 'the email queue could not be read; trying again soon');
      parts.reports.report(error, 'email');
    };
    const begin = async (kind: EmailKind) => {
      if (closing || failed) return 0;
      const free = Math.min(atOnce - inFlight().length, atOnceOfKind - sending[kind].size);
      const emails = await claimEmails(parts, kind, free);
      for (const email of emails) {
        // A clock that jumps ahead ends the lease of an email that is still being sent.
        if (beingSent.has(email.id)) continue;
        beingSent.add(email.id);
        const sent = sendEmail(parts, email, sentEmails)
          .catch(fail)
          .finally(() => (beingSent.delete(email.id), sending[kind].delete(sent)));
        sending[kind].add(sent);
      }
      return emails.length;
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

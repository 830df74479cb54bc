import type { Serve } from '../http/serve.ts';
import type { EmailWorker } from './worker.ts';

/** Any call may have queued an email, even one that failed. */
export function wakeAfterCalls<Caller>(serve: Serve<Caller>, emailWorker: Pick<EmailWorker, 'wake'>): Serve<Caller> {
  return (name, handler) =>
    serve(name, async (call) => {
      try {
        return await handler(call);
      } finally {
        emailWorker.wake();
      }
    });
}

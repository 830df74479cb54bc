import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { Serve } from '../http/serve.ts';
import { endSubscription } from './end-subscription.ts';

/** Subscriptions of deleted accounts, canceled right after the response. */
export interface Endings extends AsyncDisposable {
  /** Resolves when all cancellations under way have finished, with or without success. */
  settled(): Promise<void>;
}

/**
 * Tries to cancel the subscription of an account right after its deletion has been committed, without delaying the
 * response. A failed or interrupted cancellation is left to the job.
 */
export function endAfterClosing(serve: Serve<Caller>, context: Context): { serve: Serve<Caller>; endings: Endings } {
  const running = new Set<Promise<unknown>>();
  const begin = (accountId: string) => {
    const ended = endSubscription(context, accountId)
      .catch((error: unknown) =>
        context.log.warn({ err: error }, 'a subscription is left to the job cancel-subscriptions'),
      )
      .finally(() => running.delete(ended));
    running.add(ended);
  };
  const settled = async () => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    serve: (name, handler) =>
      serve(name, async (call) => {
        const reply = await handler(call);
        if (name === 'deleteAccount' && call.caller) begin(call.caller.account.id);
        return reply;
      }),
    endings: { settled, [Symbol.asyncDispose]: settled },
  };
}

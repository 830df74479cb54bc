import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { Serve } from '../http/serve.ts';
import { cancelSubscription } from './cancel-subscription.ts';

/** Subscriptions of deleted accounts, canceled right after the response. */
export interface Cancellations extends AsyncDisposable {
  /** Resolves when all cancellations under way have finished, with or without success. */
  settled(): Promise<void>;
}

/**
 * Tries to cancel the subscription of an account right after its deletion has been committed, without delaying the
 * response. A failed or interrupted cancellation is left to the job.
 */
export function cancelAfterClosing(
  serve: Serve<Caller>,
  context: Context,
): { serve: Serve<Caller>; cancellations: Cancellations } {
  const running = new Set<Promise<unknown>>();
  const begin = (accountId: string) => {
    const ended = cancelSubscription(context, accountId)
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
    cancellations: { settled, [Symbol.asyncDispose]: settled },
  };
}

import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { Serve } from '../http/serve.ts';
import { endSubscription } from './end-subscription.ts';

/** What a deleted account pays for, ended as soon as its answer is out. */
export interface Endings extends AsyncDisposable {
  /** Resolves when what has begun has ended one way or another. */
  settled(): Promise<void>;
}

/**
 * Tries to end the subscription of an account at once when its deletion has been committed, without keeping anybody
 * waiting. What fails, or is cut off by the end of this process, is the job's.
 */
export function endAfterClosing(serve: Serve<Caller>, context: Context): { serve: Serve<Caller>; endings: Endings } {
  const running = new Set<Promise<unknown>>();
  const begin = (accountId: string) => {
    const ended = endSubscription(context, accountId)
      .catch((error: unknown) => context.log.warn({ err: error }, 'a subscription is left to its job'))
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

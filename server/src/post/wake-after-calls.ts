import type { Serve } from '../http/serve.ts';
import type { Post } from './send-letters.ts';

/** A call may have queued a letter, also one that failed: the post is told, so that no handler can forget it. */
export function wakeAfterCalls<Caller>(serve: Serve<Caller>, post: Pick<Post, 'wake'>): Serve<Caller> {
  return (name, handler) =>
    serve(name, async (call) => {
      try {
        return await handler(call);
      } finally {
        post.wake();
      }
    });
}

import type { ServerResponse } from 'node:http';

/** Number of checks per stall interval. */
const looks = 6;

/**
 * Closes the connection of a response on which nothing has moved for `stallMs`, plus or minus a sixth. The socket's own
 * timeout fires after a fully quiet interval and reports nothing for an interval with traffic, so this counts
 * consecutive quiet intervals. While `isWaiting` returns true, the pause is the server's own.
 */
export function endWhenStalled(response: ServerResponse, stallMs: number, isWaiting = () => false): void {
  const interval = stallMs / looks;
  let quiet = 0;
  let quietAt = -Infinity;
  response.setTimeout(interval, () => {
    const now = performance.now();
    quiet = isWaiting() ? 0 : now - quietAt < interval * 1.5 ? quiet + 1 : 1;
    quietAt = now;
    if (quiet >= looks) response.req.socket.destroy();
    else response.req.socket.setTimeout(interval);
  });
}

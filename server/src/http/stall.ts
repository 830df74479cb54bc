import type { ServerResponse } from 'node:http';

/** How often, in a time without progress, a connection is looked at. */
const looks = 6;

/**
 * Ends the connection of a response on which nothing has moved for `stallMs`, give or take a sixth. The socket's own
 * timeout fires when a whole interval was quiet, and says nothing of one in which bytes moved: quiet intervals that
 * follow each other without a gap are counted. While `isWaiting` it is we who send nothing.
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

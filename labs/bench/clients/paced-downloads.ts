/** Downloads on many connections at once, and measures the speed of each and of all together. */
import { startDownload } from './paced-download.ts';
import { expectBytesOf } from './expected-bytes.ts';
import type { PacedAnswer, PacedOrders } from './paced.ts';
import { openWindow } from './window.ts';

const together = 100;
const patienceMs = 5000;

const { url, payload, connections, seconds } = JSON.parse(process.argv[2] ?? '') as PacedOrders;
const expected = expectBytesOf(payload);
const total = openWindow(seconds);
const statuses: Record<string, number> = {};
const each = connections.map(() => ({
  window: openWindow(seconds),
  connectedAt: 0,
  firstByteMs: Number.NaN,
  ended: false,
}));
const { promise: finished, resolve: finish } = Promise.withResolvers<void>();

// Opening all at once would overflow the listener's queue, and the rejected ones would arrive a second later.
for (let at = 0; at < connections.length; at += together)
  await Promise.all(connections.slice(at, at + together).map((_, offset) => open(at + offset)));
const patience = setTimeout(finish, seconds * 1000 + patienceMs);
await finished;
clearTimeout(patience);

const answer: PacedAnswer = {
  mbps: each.map(({ window }) => window.mbps()),
  totalMbps: total.mbps(),
  firstByteMs: each.map(({ firstByteMs }) => firstByteMs).filter((milliseconds) => !Number.isNaN(milliseconds)),
  statuses,
};
process.stdout.write(JSON.stringify(answer), () => process.exit());

function open(at: number): Promise<void> {
  const [connection, state] = [connections[at], each[at]];
  if (!connection || !state) throw new Error('unreachable: there is one state for each connection');
  return new Promise((resolve) =>
    startDownload(new URL(url), connection, expected, {
      connected() {
        state.connectedAt = performance.now();
        resolve();
      },
      answered: (status) => void (statuses[status] = (statuses[status] ?? 0) + 1),
      came(bytes) {
        const now = performance.now();
        if (Number.isNaN(state.firstByteMs)) state.firstByteMs = now - state.connectedAt;
        state.window.count(bytes, now);
        total.count(bytes, now);
        if (state.window.isOver(now)) endOf(state);
      },
      ended() {
        resolve();
        endOf(state);
      },
    }),
  );
}

/** Finished connections keep downloading, so that the last ones are measured under the same load. */
function endOf(state: { ended: boolean }): void {
  if (state.ended) return;
  state.ended = true;
  if (each.every(({ ended }) => ended)) finish();
}

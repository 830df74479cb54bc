import cluster from 'node:cluster';
import { openMessageCalls, type Send } from '../../lib/message-calls.ts';
import type { Parent, ParentFunctions, Reports, Stop, WorkerFunctions } from './parent.ts';

/** The parent of this process, which `node:cluster` has started. */
export function openIpcParent(number: number): Parent {
  let stop = (_how: Stop): void => process.exit(1);
  let note = (_ids: readonly string[]): void => {};
  let reports: Reports | null = null;
  const send: Send = (message, done) => {
    if (process.connected) process.send?.(message, undefined, undefined, done);
  };
  const calls = openMessageCalls<ParentFunctions, WorkerFunctions>(send, {
    stop: ({ how }) => (stop(how), null),
    report: ({ of }) => reports?.[of]() ?? null,
    changed: ({ ids }) => (note(ids), null),
  });
  process.on('message', (message) => calls.receive(message));
  // The module would end the process at once, with the responses under way.
  process.prependOnceListener('disconnect', () => {
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    calls.close();
    stop('terminate');
  });
  return {
    number,
    call: calls.call,
    onStop: (called) => void (stop = called),
    onChanged: (called) => void (note = called),
    onReport: (given) => void (reports = given),
    leave() {
      stop = () => {};
      process.disconnect();
    },
  };
}

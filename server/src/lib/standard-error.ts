import { writeSync } from 'node:fs';

/** Milliseconds and times to wait for the reader of a full pipe. */
const [pause, tries] = [10, 10];

/**
 * The destination of the log. A line that cannot be written is dropped: on a full disk, or without a reader, the service has to
 * continue, and to end when it is told to.
 */
export const standardError = {
  write(line: string): void {
    let rest = Buffer.from(line);
    for (let left = tries; rest.length > 0 && left > 0;) {
      try {
        rest = rest.subarray(writeSync(2, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        left -= 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
      }
    }
  },
};

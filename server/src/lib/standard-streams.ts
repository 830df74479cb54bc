import { writeSync } from 'node:fs';

const [pause, tries] = [10, 10];

/** Lines are dropped on a full disk, and when the reader or the terminal is gone: a server goes on without them. */
const openStream = (descriptor: 1 | 2) => ({
  write(line: string): void {
    let rest = Buffer.from(line);
    for (let left = tries; rest.length > 0 && left > 0;) {
      try {
        rest = rest.subarray(writeSync(descriptor, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        left -= 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
      }
    }
  },
});

export const standardOutput = openStream(1);
export const standardError = openStream(2);

import { closeSync, openSync, readSync } from 'node:fs';
import { blockBytes } from '../harness/payload.ts';

export interface Expected {
  /** Throws unless `bytes` match the file at `position`. */
  readonly check: (bytes: Buffer, position: number) => void;
}

/** The bytes of a file made by `writePayload`: after its first block it repeats one block, so two of it are enough. */
export function expectBytesOf(path: string): Expected {
  const sample = Buffer.alloc(3 * blockBytes);
  const file = openSync(path, 'r');
  readSync(file, sample, 0, sample.length, 0);
  closeSync(file);
  return {
    check(bytes, position) {
      const at = position < blockBytes ? position : blockBytes + (position % blockBytes);
      if (sample.compare(bytes, 0, bytes.length, at, at + bytes.length) !== 0)
        throw new Error(`wrong bytes arrived at ${position}`);
    },
  };
}

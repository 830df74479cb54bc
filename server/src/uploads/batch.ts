import { Failure } from '@holdfast/contract/src/errors.ts';
import { mostInBatch } from '@holdfast/contract/src/upload-endpoints.ts';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { isFilePart, type Part, readField } from '../http/multipart.ts';
import { readerOf } from '../lib/byte-reader.ts';
import { digestFields } from './receive.ts';

/** The next file arrives while those before it are synced, and they share the syncs of the database. */
const atOnce = 64;
const mostFields = 8;

export interface BatchParts {
  /** Stores one file of the form, with the fields before it. */
  readonly store: (parts: AsyncIterable<Part>, index: number) => Promise<object>;
  readonly toLine: (error: unknown) => object;
  readonly lines: Writable;
  readonly gone: AbortSignal;
}

/**
 * Writes a line for each file as soon as it is stored or refused, and resolves after the last one. When the client
 * leaves, files without a line leave nothing behind, unless their rows are being committed.
 * @throws what breaks the form, after all lines.
 */
export async function storeBatch(
  parts: AsyncIterable<Part>,
  { store, toLine, lines, gone }: BatchParts,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  let fields: Part[] = [];
  let count = 0;
  try {
    for await (const part of parts) {
      if (!isFilePart(part)) {
        if (digestFields.some((name) => name === part.name)) fields.push(await keptField(part));
        if (fields.length > mostFields)
          throw new Failure('UPLOAD_INVALID', 'A file of the batch has too many digests before it.');
        continue;
      }
      const index = count++;
      if (index === mostInBatch)
        throw new Failure('UPLOAD_INVALID', `Send ${mostInBatch.toLocaleString('en')} files at most in a batch.`);
      const { promise: arrived, resolve } = Promise.withResolvers<void>();
      const answer = async () => {
        const stored = store(oneFile([...fields, noting(part, resolve)], gone), index);
        const line = await stored.then((value) => ({ success: true, ...value }), toLine);
        lines.write(`${JSON.stringify({ index, ...line })}\n`);
      };
      const stored: Promise<unknown> = answer().finally(() => running.delete(stored));
      running.add(stored);
      fields = [];
      await Promise.race([arrived, stored]);
      if (running.size >= atOnce) await Promise.race(running);
      if (lines.writableNeedDrain) await once(lines, 'drain', { signal: gone });
    }
  } finally {
    await Promise.all(running);
  }
}

const keptField = async (part: Part): Promise<Part> => ({
  ...part,
  body: readerOf([Buffer.from(await readField(part))]),
});

async function* oneFile(parts: readonly Part[], gone: AbortSignal): AsyncGenerator<Part> {
  yield* parts;
  gone.throwIfAborted();
}

function noting(part: Part, onArrived: () => void): Part {
  const { body } = part;
  return {
    ...part,
    body: {
      async read(into) {
        const length = await body.read(into);
        if (length === 0) onArrived();
        return length;
      },
    },
  };
}

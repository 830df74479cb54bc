import { Failure } from '@holdfast/contract/src/errors.ts';
import type { IncomingMessage } from 'node:http';
import { readerOf } from '../lib/byte-reader.ts';
import { type Part, readField, readParts } from './multipart.ts';
import { watchSlowBody } from './slow-body.ts';

/** The form of a request. Nothing of it is read before it is needed. */
export interface UploadForm {
  /** All parts in order, also those that were read before. */
  readonly parts: AsyncIterable<Part>;
  /**
   * Reads the form up to a field, and returns its text. It returns undefined if a file or the end comes first, or the form
   * is not valid; then no parts may be read. Nobody has proven yet to be the sender, so only small fields are kept.
   */
  fieldBeforeFiles(name: string): Promise<string | undefined>;
  /** Leaves the rest unread. */
  close(): Promise<void>;
}

/** An honest sender has the first fields ready. */
const longestLeadMs = 10_000;

/** @param invite called before the first byte is read, for a client that waits for `100 Continue`. */
export function openUploadForm(request: IncomingMessage, invite: () => void): UploadForm {
  const read: Part[] = [];
  const rest = (async function* () {
    invite();
    yield* readParts(request);
  })();

  const find = async (name: string): Promise<string | undefined> => {
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      const part = next.value;
      if (part.filename !== null) return undefined;
      const text = await readField(part);
      if (part.name === name) return text;
      read.push({ ...part, body: readerOf([Buffer.from(text)]) });
    }
    return undefined;
  };
  return {
    parts: (async function* () {
      // An upload that waits for its turn after its first fields is not read, and not slow.
      watchSlowBody(request);
      yield* read;
      yield* rest;
    })(),
    async fieldBeforeFiles(name) {
      const timer = setTimeout(() => request.socket.resetAndDestroy(), longestLeadMs);
      try {
        return await find(name);
      } catch (error) {
        if (error instanceof Failure) return undefined;
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      await rest.return(undefined);
    },
  };
}

import { Failure } from '@holdfast/contract/src/errors.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readerOf } from '../lib/byte-reader.ts';
import { endSlowBody } from './body-deadlines.ts';
import { freeChunk, type Part, readChunks, readField, readParts } from './multipart.ts';

export interface UploadForm {
  readonly parts: AsyncIterable<Part>;
  /**
   * Returns a field before the first file, if the form has it there. Nobody has proven to be the sender, so only small
   * fields are kept.
   */
  fieldBeforeFiles(name: string): Promise<string | undefined>;
  /** Of a body that is the file itself. */
  ofBytes(filename: string, fields: Readonly<Record<string, string | undefined>>): AsyncIterable<Part>;
  /** Lets a client send its body that waits for permission. */
  invite(): void;
  close(): Promise<void>;
}

/** An HTTP/1.0 client would take it for the response (RFC 9110, section 10.1.1). */
export function sendContinue({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (httpVersion !== '1.0' && /^100-continue$/i.test(headers.expect ?? '')) response.writeContinue();
}

/** An honest sender has the first fields ready. */
const longestLeadMs = 10_000;

export function openUploadForm(request: IncomingMessage, response: ServerResponse, mostFiles = 1): UploadForm {
  const read: Part[] = [];
  const rest = (async function* () {
    sendContinue(request, response);
    yield* readParts(request, { mostFiles });
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
      endSlowBody(request);
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
    async *ofBytes(filename, fields) {
      sendContinue(request, response);
      endSlowBody(request);
      for (const [name, text = ''] of Object.entries(fields))
        yield { name, filename: null, body: readerOf([Buffer.from(text)]) };
      await using chunks = readChunks(request);
      yield { name: 'file', filename, body: readerOf(chunks, freeChunk) };
    },
    invite: () => sendContinue(request, response),
    async close() {
      await rest.return(undefined);
    },
  };
}

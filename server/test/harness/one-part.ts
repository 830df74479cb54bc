import type { Part } from '../../src/http/multipart.ts';

/** The parts of a form with one file, for uploads without HTTP. */
export async function* onePart(bytes: Buffer, filename = 'a.txt'): AsyncGenerator<Part> {
  yield {
    name: 'file',
    filename,
    body: (async function* () {
      // The reader takes over the memory of the chunk.
      if (bytes.length > 0) yield Buffer.from(bytes);
    })(),
  };
}

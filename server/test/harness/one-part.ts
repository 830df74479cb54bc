import type { Part } from '../../src/http/multipart.ts';

/** The parts of a form with one file, for uploads that do not come by HTTP. */
export async function* onePart(bytes: Buffer, filename = 'a.txt'): AsyncGenerator<Part> {
  yield {
    name: 'file',
    filename,
    body: (async function* () {
      // What reads it takes its memory.
      if (bytes.length > 0) yield Buffer.from(bytes);
    })(),
  };
}

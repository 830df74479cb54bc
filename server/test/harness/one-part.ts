import type { Part } from '../../src/http/multipart.ts';
import { readerOf } from '../../src/lib/byte-reader.ts';

/** The parts of a form with one file, for uploads without HTTP. */
export async function* onePart(bytes: Buffer, filename = 'a.txt'): AsyncGenerator<Part> {
  yield { name: 'file', filename, body: readerOf([bytes]) };
}

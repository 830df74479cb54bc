import type { ByteReader } from '../../lib/byte-reader.ts';

export interface Filled {
  readonly slab: ArrayBuffer;
  readonly length: number;
  readonly isLast: boolean;
  readonly failure?: { readonly error: unknown };
}

/** The slab grows up to `most` bytes. A source that fails ends with the bytes that it has brought. */
export async function fillSlab(source: ByteReader, slab: ArrayBuffer, most = slab.byteLength): Promise<Filled> {
  let length = 0;
  try {
    while (length < most) {
      if (length === slab.byteLength) slab = slab.transfer(Math.min(slab.byteLength * 8, most));
      const count = await source.read(Buffer.from(slab, length));
      if (count === 0) return { slab, length, isLast: true };
      length += count;
    }
  } catch (error) {
    return { slab, length, isLast: true, failure: { error } };
  }
  return { slab, length, isLast: false };
}

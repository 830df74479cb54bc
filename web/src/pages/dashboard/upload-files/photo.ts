/** The bytes of a photo, and what has been changed in them. */
export type Span = readonly [start: number, end: number];

export function openPhoto(bytes: Uint8Array<ArrayBuffer>) {
  return {
    bytes,
    view: new DataView(bytes.buffer),
    changed: [] as Span[],
    /** Whether everything in it was understood. */
    isWhole: true,
    text: (start: number, end: number) => latin.decode(bytes.subarray(start, end)),
    overwrite(spans: readonly Span[], value: number): void {
      for (const [start, end] of spans) {
        if (bytes.subarray(start, end).every((byte) => byte === value)) continue;
        bytes.fill(value, start, end);
        this.changed.push([start, end]);
      }
    },
    /** Each part changes bytes as its last step. Reading past the end throws a RangeError. */
    attempt(work: () => void): void {
      try {
        work();
      } catch {
        this.isWhole = false;
      }
    },
  };
}

export type Photo = ReturnType<typeof openPhoto>;

/** One character for each byte. */
export const latin = new TextDecoder('latin1');

export const expect = (understood: boolean): void => {
  if (!understood) throw new RangeError();
};

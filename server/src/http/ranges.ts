/** Range requests, RFC 9110 section 14. */

/** Both ends inclusive, as in the header. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Which bytes to send; no ranges at all means that none of them can be satisfied. */
export type Selection = 'whole' | readonly ByteRange[];

/** More ranges than any honest client asks for at once. */
const maxRanges = 32;

/**
 * The bytes that a Range header asks of a representation of `size` bytes. Everything is sent when the header is
 * absent, malformed or in another unit (decisions section 4), and when many or overlapping ranges would cost more
 * than the whole (section 14.2 warns of those).
 */
export function selectRanges(header: string | undefined, size: number): Selection {
  const specs = header === undefined ? null : parseSpecs(header);
  if (!specs) return 'whole';
  const ranges = specs.map((spec) => locate(spec, size)).filter((range) => range !== null);
  const total = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  // A suffix of nothing can be had, but a Content-Range cannot say so.
  if (size === 0 && specs.some(([first, last]) => first === null && last !== 0)) return 'whole';
  return total > size ? 'whole' : ranges;
}

/** First and last position; a suffix has no first one, and an open range no last one. */
type Spec = readonly [first: number | null, last: number | null];

function parseSpecs(header: string): readonly Spec[] | null {
  const [, list] = /^bytes=(.*)$/i.exec(header) ?? [];
  if (list === undefined) return null;
  // A list may have empty elements and white space around each (section 5.6.1).
  const elements = list.split(',', maxRanges + 1).map((element) => element.trim());
  const specs = elements.filter((element) => element !== '').map(parseSpec);
  if (elements.length > maxRanges || specs.length === 0) return null;
  return specs.every((spec) => spec !== null) ? specs : null;
}

function parseSpec(text: string): Spec | null {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(text) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  // A number of any length is a position: one beyond all files is the end.
  const spec: Spec = [first === '' ? null : Number(first), last === '' ? null : Number(last)];
  return spec[0] !== null && spec[1] !== null && spec[1] < spec[0] ? null : spec;
}

function locate([first, last]: Spec, size: number): ByteRange | null {
  const start = first ?? Math.max(0, size - (last ?? 0));
  const end = first === null || last === null ? size - 1 : Math.min(last, size - 1);
  return start < size && start <= end ? { start, end } : null;
}

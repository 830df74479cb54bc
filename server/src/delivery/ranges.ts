/** Range requests, RFC 9110 section 14. */

/** Both ends are inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const maxRanges = 32;

/** None if no range can be satisfied. The whole if overlapping ranges would cost more than it does (section 14.2). */
export function selectRanges(header: string | undefined, size: number): 'whole' | readonly ByteRange[] {
  const specs = header === undefined ? null : parseSpecs(header);
  if (!specs) return 'whole';
  const ranges = specs.map((spec) => locate(spec, size)).filter((range) => range !== null);
  const total = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  // A suffix of an empty file is satisfiable, but a Content-Range cannot express it.
  if (size === 0 && specs.some(([first, last]) => first === null && last !== 0)) return 'whole';
  return total > size ? 'whole' : ranges;
}

/** A suffix has no first position, and an open range no last one. */
type Spec = readonly [first: number | null, last: number | null];

function parseSpecs(header: string): readonly Spec[] | null {
  const [, list] = /^bytes=(.*)$/i.exec(header) ?? [];
  if (list === undefined) return null;
  // A list may have empty elements and white space around each element (section 5.6.1).
  const elements = list.split(',', maxRanges + 1).map((element) => element.trim());
  const specs = elements.filter((element) => element !== '').map(parseSpec);
  if (elements.length > maxRanges || specs.length === 0) return null;
  return specs.every((spec) => spec !== null) ? specs : null;
}

function parseSpec(text: string): Spec | null {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(text) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  const spec: Spec = [first === '' ? null : Number(first), last === '' ? null : Number(last)];
  return spec[0] !== null && spec[1] !== null && spec[1] < spec[0] ? null : spec;
}

function locate([first, last]: Spec, size: number): ByteRange | null {
  const start = first ?? Math.max(0, size - (last ?? 0));
  const end = first === null || last === null ? size - 1 : Math.min(last, size - 1);
  return start < size && start <= end ? { start, end } : null;
}

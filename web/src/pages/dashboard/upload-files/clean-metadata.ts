import { expect, latin, type Photo, type Span } from './photo.ts';

const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
const gpsTag = 0x88_25;
const subTables = new Set([0x87_69, 0xa0_05]);
const mostEntries = 2000;

interface Table {
  readonly at: number;
  readonly count: number;
  readonly isGps: boolean;
}

/** Drops the table of the position and the entry that leads to it, by the layout of TIFF 6.0 and Exif 2.3. */
export function cleanExif(photo: Photo, start: number, end: number): void {
  const view = new DataView(photo.bytes.buffer, start, end - start);
  const little = view.getUint16(0) === 0x49_49;
  expect((little || view.getUint16(0) === 0x4d_4d) && view.getUint16(2, little) === 42);
  const kept: Span[] = [[0, 8]];
  const dropped: Span[] = [];
  const moves: (() => void)[] = [];
  const tables: Table[] = [];
  let entries = 0;

  function visit(at: number, isGps: boolean, hasNext: boolean): void {
    expect(at >= 8 && tables.every((table) => table.at !== at));
    const count = view.getUint16(at, little);
    const table = { at, count, isGps };
    entries += count;
    expect(entries <= mostEntries && at + 2 + count * 12 <= view.byteLength);
    tables.push(table);
    (isGps ? dropped : kept).push([at, Math.min(at + 6 + count * 12, view.byteLength)]);
    for (let index = 0; index < count; index += 1) visitEntry(table, at + 2 + index * 12);
    const next = hasNext ? view.getUint32(at + 2 + count * 12, little) : 0;
    if (next > 0) visit(next, false, true);
  }

  function visitEntry({ isGps }: Table, at: number): void {
    const size = sizes[view.getUint16(at + 2, little)];
    const value = view.getUint32(at + 8, little);
    const tag = view.getUint16(at, little);
    if (!isGps && (tag === gpsTag || subTables.has(tag))) return visit(value, tag === gpsTag, false);
    const length = (size ?? 0) * view.getUint32(at + 4, little);
    const isInside = size !== undefined && value + length <= view.byteLength;
    expect(isInside || !isGps || length <= 4);
    if (length > 4 && isInside) (isGps ? dropped : kept).push([value, value + length]);
    return undefined;
  }

  visit(view.getUint32(4, little), false, true);
  if (dropped.length === 0) return;
  expect(dropped.every(([a, b]) => kept.every(([c, d]) => b <= c || a >= d)));
  for (const { at, count, isGps } of tables) if (!isGps) moves.push(() => dropEntry(at, count));
  photo.overwrite(
    dropped.map(([a, b]) => [start + a, start + b]),
    0,
  );
  for (const move of moves) move();

  /** What follows it moves up, with the offset of the next table. */
  function dropEntry(at: number, count: number): void {
    const tableEnd = Math.min(at + 6 + count * 12, view.byteLength);
    for (let index = count - 1; index >= 0; index -= 1) {
      const entry = at + 2 + index * 12;
      if (view.getUint16(entry, little) !== gpsTag) continue;
      photo.bytes.copyWithin(start + entry, start + entry + 12, start + tableEnd);
      photo.bytes.fill(0, start + tableEnd - 12, start + tableEnd);
      view.setUint16(at, view.getUint16(at, little) - 1, little);
      photo.changed.push([start + at, start + tableEnd]);
    }
  }
}

export const space = 0x20;
const places = String.raw`(?:GPS\w+|gps\w+|Gps\w+|City|State|Country\w*|Location\w*|Sublocation|ProvinceState|WorldRegion)`;
const attribute = new RegExp(String.raw`\s[\w-]+:${places}\s*=\s*(?:"[^"]*"|'[^']*')`, 'g');
const element = new RegExp(String.raw`<([\w-]+:${places})(?:\s[^<>]*)?>`, 'g');

/** Spaces between attributes and elements have no meaning. */
export function cleanXmp(photo: Photo, start: number, end: number): void {
  expect(start <= end && end - start <= 1_000_000);
  const text = photo.text(start, end);
  // Not in another encoding.
  expect(!text.includes('\0'));
  const found: Span[] = [...text.matchAll(attribute)].map(({ 0: all, index }) => [index, index + all.length]);
  for (const { 0: open, 1: name, index } of text.matchAll(element)) {
    const inside = index + open.length;
    const close = open.endsWith('/>') ? inside : text.indexOf(`</${name}>`, inside);
    expect(close >= 0);
    found.push([index, close === inside && open.endsWith('/>') ? inside : close + `</${name}>`.length]);
  }
  const left = photo.bytes.slice(start, end);
  for (const [from, to] of found) left.fill(space, from, to);
  expect(!/gps-?l(at|on)/i.test(latin.decode(left)));
  photo.overwrite(
    found.map(([a, b]) => [start + a, start + b]),
    space,
  );
}

/** Content location, city, sublocation, province and country (IPTC-IIM 4.2). */
const placeSets = new Set([26, 27, 90, 92, 95, 100, 101]);

export function cleanPhotoshop(photo: Photo, start: number, end: number): void {
  const { view, text } = photo;
  const found: Span[] = [];
  for (let at = start; at + 12 <= end;) {
    expect(text(at, at + 4) === '8BIM');
    const nameLength = view.getUint8(at + 6) + 1;
    const data = at + 6 + nameLength + (nameLength % 2) + 4;
    const dataEnd = data + view.getUint32(data - 4);
    expect(dataEnd <= end);
    if (view.getUint16(at + 4) === 0x04_04) found.push(...placesIn(photo, data, dataEnd));
    at = dataEnd + ((dataEnd - data) % 2);
  }
  photo.overwrite(found, space);
}

function placesIn({ view }: Photo, start: number, end: number): readonly Span[] {
  const found: Span[] = [];
  for (let at = start; at + 5 <= end;) {
    const length = view.getUint16(at + 3);
    const next = at + 5 + length;
    expect(view.getUint8(at) === 0x1c && length < 0x80_00 && next <= end);
    if (view.getUint8(at + 1) === 2 && placeSets.has(view.getUint8(at + 2))) found.push([at + 5, next]);
    at = next;
  }
  return found;
}

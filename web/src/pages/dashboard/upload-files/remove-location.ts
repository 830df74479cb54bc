/**
 * Overwrites where a photo was taken, in place: its size, every offset in it and every byte of the picture stay. What is
 * not understood is left as it is.
 */
import { rowTexts } from './queue-texts.ts';

export interface Checked {
  readonly file: File;
  /** For the row. Undefined if the file is neither a picture nor a video. */
  readonly note: string | undefined;
}

/** A larger file is not read into memory. */
const mostBytes = 100_000_000;

export async function removeLocation(file: File): Promise<Checked> {
  const bytes = file.size <= mostBytes ? await file.arrayBuffer().catch(() => undefined) : undefined;
  const photo = bytes && openPhoto(new Uint8Array(bytes));
  const read = photo && formats.find(({ isIt }) => isIt(photo))?.read;
  if (!read) {
    const mayHaveLocation = /^(image|video)\//.test(file.type) || /\.(hei[cf]|avif|tiff?|dng)$/i.test(file.name);
    return { file, note: mayHaveLocation ? rowTexts.locationUnchecked : undefined };
  }
  photo.attempt(() => read(photo));
  const { changed, isWhole } = photo;
  if (changed.length === 0) return { file, note: isWhole ? rowTexts.noLocation : rowTexts.locationUnchecked };
  const note = isWhole ? rowTexts.locationRemoved : rowTexts.locationPartlyRemoved;
  return { file: withChanges(file, photo), note };
}

/** Only what has changed is kept in memory. */
function withChanges(file: File, { bytes, changed }: Photo): File {
  const parts: BlobPart[] = [];
  let at = 0;
  for (const [start, end] of changed.toSorted(([a], [b]) => a - b)) {
    if (start > at) parts.push(file.slice(at, start));
    parts.push(bytes.slice(Math.max(at, start), end));
    at = Math.max(at, end);
  }
  parts.push(file.slice(at));
  return new File(parts, file.name, { type: file.type, lastModified: file.lastModified });
}

type Span = readonly [start: number, end: number];

function openPhoto(bytes: Uint8Array<ArrayBuffer>) {
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

type Photo = ReturnType<typeof openPhoto>;

/** One character for each byte. */
const latin = new TextDecoder('latin1');

const expect = (understood: boolean): void => {
  if (!understood) throw new RangeError();
};

const formats = [
  { isIt: ({ text }: Photo) => text(0, 3) === '\u00ff\u00d8\u00ff', read: readJpeg },
  { isIt: ({ text }: Photo) => text(1, 8) === 'PNG\r\n\u001a\n', read: readPng },
  { isIt: ({ text }: Photo) => text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP', read: readWebp },
];

/** Another picture may follow, such as the brightness of an HDR photo. */
function readJpeg(photo: Photo): void {
  const { bytes, view } = photo;
  let at = 0;
  while (at < bytes.length) {
    expect(view.getUint16(at) === 0xff_d8);
    at = readJpegPicture(photo, at + 2);
    while (bytes[at] === 0) at += 1;
  }
}

function readJpegPicture(photo: Photo, first: number): number {
  const { bytes, view } = photo;
  for (let at = first; ;) {
    const marker = view.getUint8(at + 1);
    expect(bytes[at] === 0xff);
    if (marker === 0xd9) return at + 2;
    const end = at + 2 + view.getUint16(at + 2);
    expect(end >= at + 4 && end <= bytes.length);
    if (marker === 0xe1) readApp1(photo, at + 4, end);
    if (marker === 0xed && photo.text(at + 4, at + 18) === 'Photoshop 3.0\0')
      photo.attempt(() => cleanPhotoshop(photo, at + 18, end));
    at = marker === 0xda ? endOfScan(bytes, end) : end;
  }
}

function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    // Stuffed bytes, restarts and filling are in the scan.
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw new RangeError();
}

const exifHead = 'Exif\0\0';
const xmpHead = 'http://ns.adobe.com/xap/1.0/\0';

function readApp1(photo: Photo, start: number, end: number): void {
  const head = photo.text(start, Math.min(end, start + 60));
  if (head.startsWith(exifHead)) photo.attempt(() => cleanExif(photo, start + exifHead.length, end));
  else if (head.startsWith(xmpHead)) photo.attempt(() => cleanXmp(photo, start + xmpHead.length, end));
  // Its parts have a common digest.
  else if (head.startsWith('http://ns.adobe.com/xmp/extension/')) photo.isWhole = false;
}

function readPng(photo: Photo): void {
  const { bytes, view, text } = photo;
  for (let at = 8; at < bytes.length;) {
    const start = at + 8;
    const end = start + view.getUint32(at);
    const type = text(at + 4, start);
    expect(end + 4 <= bytes.length && /^[a-z]{4}$/i.test(type));
    const before = photo.changed.length;
    if (type === 'eXIf') photo.attempt(() => cleanExif(photo, start, end));
    else if (/^(iTXt|tEXt|zTXt)$/.test(type)) photo.attempt(() => cleanPngText(photo, type, start, end));
    if (photo.changed.length > before) {
      view.setUint32(end, crcOf(bytes.subarray(at + 4, end)));
      photo.changed.push([end, end + 4]);
    }
    at = end + 4;
    if (type === 'IEND') expect(at === bytes.length);
  }
}

function cleanPngText(photo: Photo, type: string, start: number, end: number): void {
  const keyEnd = photo.bytes.indexOf(0, start);
  expect(keyEnd > start && keyEnd < end);
  const keyword = photo.text(start, keyEnd);
  if (type === 'iTXt' && keyword === 'XML:com.adobe.xmp') {
    expect(photo.bytes[keyEnd + 1] === 0);
    const language = photo.bytes.indexOf(0, keyEnd + 3);
    return cleanXmp(photo, photo.bytes.indexOf(0, language + 1) + 1, end);
  }
  // As older programs write it, compressed or in hexadecimal digits.
  expect(!/^Raw profile type (exif|app1|xmp|iptc|8bim)$/i.test(keyword));
  if (!/gps/i.test(keyword)) return undefined;
  expect(type === 'tEXt');
  return photo.overwrite([[keyEnd + 1, end]], space);
}

function crcOf(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~crc >>> 0;
}

function readWebp(photo: Photo): void {
  const { bytes, view, text } = photo;
  expect(8 + view.getUint32(4, true) === bytes.length);
  for (let at = 12; at < bytes.length;) {
    const start = at + 8;
    const end = start + view.getUint32(at + 4, true);
    expect(end <= bytes.length);
    const type = text(at, at + 4);
    const tiff = text(start, start + exifHead.length) === exifHead ? start + exifHead.length : start;
    if (type === 'EXIF') photo.attempt(() => cleanExif(photo, tiff, end));
    if (type === 'XMP ') photo.attempt(() => cleanXmp(photo, start, end));
    at = end + (end % 2);
  }
}

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
function cleanExif(photo: Photo, start: number, end: number): void {
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

const space = 0x20;
const places = String.raw`(?:GPS\w+|gps\w+|Gps\w+|City|State|Country\w*|Location\w*|Sublocation|ProvinceState|WorldRegion)`;
const attribute = new RegExp(String.raw`\s[\w-]+:${places}\s*=\s*(?:"[^"]*"|'[^']*')`, 'g');
const element = new RegExp(String.raw`<([\w-]+:${places})(?:\s[^<>]*)?>`, 'g');

/** Spaces between attributes and elements have no meaning. */
function cleanXmp(photo: Photo, start: number, end: number): void {
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

function cleanPhotoshop(photo: Photo, start: number, end: number): void {
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

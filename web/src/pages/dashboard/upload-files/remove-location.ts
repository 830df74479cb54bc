/**
 * Overwrites where a photo was taken, in place: its size, every offset in it and every byte of the picture stay. What is
 * not understood is left as it is.
 */
import { cleanExif, cleanPhotoshop, cleanXmp, space } from './clean-metadata.ts';
import { expect, openPhoto, type Photo } from './photo.ts';
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

/** The headers of a part, read as MIME: many programs build a form with a library for email. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { parse as parseDisposition } from 'content-disposition';
import { isUtf8 } from 'node:buffer';

export interface PartHeaders {
  readonly name: string;
  readonly filename: string | null;
  readonly transferEncoding: string;
}

export function readPartHeaders(bytes: Buffer): PartHeaders {
  const lines = textOf(bytes).replaceAll(folding, '').split('\r\n');
  const valueOf = (header: string) => {
    const start = `${header.toLowerCase()}:`;
    const [line, ...others] = lines.filter((each) => each.toLowerCase().startsWith(start));
    if (others.length > 0) throw new Failure('UPLOAD_INVALID', `A part of the form has several ${header} headers.`);
    return line?.slice(start.length).trim() ?? '';
  };
  const { type, parameters } = disposition(valueOf('Content-Disposition'));
  const { name = '' } = parameters;
  if (type !== 'form-data') throw badDisposition();
  if (name === '') throw new Failure('UPLOAD_INVALID', 'A part of the form has no field name.');
  const transferEncoding = valueOf('Content-Transfer-Encoding').toLowerCase();
  return { name, filename: filenameOf(parameters), transferEncoding };
}

/** RFC 5322, section 2.2.3. */
const folding = /\r\n(?=[ \t])/g;

const legacy = new TextDecoder('windows-1252');

/**
 * Wrong letters can be read and searched, replacement characters cannot. A backslash after such a byte is not a separator
 * but the second byte of a letter in Shift_JIS, GBK and Big5.
 */
function textOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : legacy.decode(bytes).replaceAll(/(?<=[^\0-\x7f])\\/g, '_');
}

type Parameters = Readonly<Record<string, string | undefined>>;

function disposition(value: string): { type: string; parameters: Parameters } {
  // Browsers encode a quote as %22; others escape it with a backslash.
  const escapedByBackslash = /\\"(?!\s*(;|$))/.test(value);
  try {
    return parseDisposition(value, { multipart: !escapedByBackslash, extended: false });
  } catch (cause) {
    throw badDisposition(cause);
  }
}

/** Any parameter of that name makes the part a file, readable or not. */
function filenameOf(parameters: Parameters): string | null {
  const { filename, 'filename*': extended } = parameters;
  const decoded = extended && decodeExtended(extended);
  if (decoded) return decoded;
  if (filename !== undefined) return filename.replaceAll(encodedWords, (words) => decodeWords(words) || words);
  const sections = Object.entries(parameters).flatMap(([key, value = '']) => {
    const [, number, star] = /^filename\*(\d+)(\*?)$/.exec(key) ?? [];
    return number === undefined ? [] : [{ at: Number(number), text: star ? value : percentEncode(value), star }];
  });
  if (sections.length === 0) return extended === undefined ? null : '';
  const text = sections.toSorted((a, b) => a.at - b.at).map((section) => section.text);
  return decodeExtended((sections.find(({ at }) => at === 0)?.star ? '' : "utf-8''") + text.join(''));
}

/** RFC 2047. .NET and others put them into a quoted string, where the RFC does not allow them. */
const encodedWord = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi;
/** The space between two of them belongs to neither. */
const encodedWords = new RegExp(String.raw`${encodedWord.source}(?:\s*${encodedWord.source})*`, 'gi');

function decodeWords(text: string): string {
  const words = [...text.matchAll(encodedWord)].map(([, charset = '', coding, payload = '']) => ({
    charset: charset.toLowerCase(),
    bytes: coding?.toLowerCase() === 'b' ? Buffer.from(payload, 'base64') : unescape(payload.replaceAll('_', ' '), '='),
  }));
  const [charset, ...others] = new Set(words.map((word) => word.charset));
  // A letter may begin in one word and end in the next.
  if (others.length === 0) return decode(Buffer.concat(words.map(({ bytes }) => bytes)), charset);
  return words.map((word) => decode(word.bytes, word.charset)).join('');
}

/** RFC 8187, and the joined sections of RFC 2231. */
function decodeExtended(value: string): string {
  const [, charset, encoded = value] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? [];
  return decode(unescape(encoded.replaceAll(/[^\0-\x7f]+/g, percentEncode), '%'), charset);
}

const percentEncode = (text: string) => encodeURIComponent(text);

function unescape(text: string, mark: '%' | '='): Buffer {
  const hex = new RegExp(`${mark}([0-9a-f]{2})`, 'gi');
  const escaped = text.replaceAll(hex, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(escaped, 'latin1');
}

function decode(bytes: Buffer, charset = ''): string {
  try {
    return new TextDecoder(charset || 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return textOf(bytes);
  }
}

const badDisposition = (cause?: unknown) =>
  new Failure('UPLOAD_INVALID', 'A part of the form has no valid Content-Disposition header.', { cause });

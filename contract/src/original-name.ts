/**
 * Control characters, line and paragraph separators, and marks that reverse the text direction: `gpj.exe` must not look
 * like `exe.jpg`.
 */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** Less than the 255 of common filesystems: clients add suffixes of their own, such as `.crdownload` or ` (12)`. */
const maxBytes = 230;

/** The web app uses it too, so that its warnings match what the server refuses. */
export function cleanOriginalName(sent: string): string {
  const base = sent.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = base.replaceAll(invisible, '').trim().normalize('NFC');
  return named(shorten(clean));
}

function named(name: string): string {
  // What curl sends for a pipe: `-F file=@-` and, with the number of a descriptor, `-F file=@<(...)`.
  if (/^(?:-|\d\d)$/.test(name)) return 'stdin';
  return ['', '.', '..'].includes(name) ? 'file' : name;
}

/** By whole graphemes, and in the middle, because the end identifies the file type. */
export function shorten(name: string): string {
  if (byteLength(name) <= maxBytes) return name;
  const extension = extensionOf(name);
  if (extension === '') return withoutExtension(leadingCharacters(name, maxBytes).trimEnd());
  const tail = name.slice(-extension.length - 1);
  return leadingCharacters(name.slice(0, -tail.length), maxBytes - tail.length) + tail;
}

/** The first grapheme may have more combining marks than fit. */
function leadingCharacters(text: string, bytes: number): string {
  return fitting(wholeCharacters(text), bytes) || fitting(text, bytes);
}

function* wholeCharacters(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

const segmenter = new Intl.Segmenter();

function fitting(pieces: Iterable<string>, bytes: number): string {
  let text = '';
  for (const piece of pieces) {
    if (byteLength(text + piece) > bytes) break;
    text += piece;
  }
  return text;
}

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;

/** Prevents the truncated name from ending in what looks like an extension. */
function withoutExtension(name: string): string {
  return extensionOf(name) === '' ? name : withoutExtension(name.slice(0, name.lastIndexOf('.')).trimEnd());
}

export function extensionOf(name: string): string {
  const at = name.lastIndexOf('.');
  const extension = at > 0 ? name.slice(at + 1).toLowerCase() : '';
  return /^[a-z0-9]{1,16}$/.test(extension) ? extension : '';
}

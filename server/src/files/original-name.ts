/**
 * Control characters, separators of lines and paragraphs, and the marks that make text run the other way: `gpj.exe` must
 * not look like `exe.jpg`.
 */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** What the common filesystems can hold. */
const maxBytes = 255;

/** A client's file name as it is kept and shown: the last part of a path, in any script, without what could deceive. */
export function cleanOriginalName(sent: string): string {
  const base = sent.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = base.replaceAll(invisible, '').trim().normalize('NFC');
  return named(shorten(clean));
}

/** Names of folders, in every folder. */
const named = (name: string) => (['', '.', '..'].includes(name) ? 'file' : name);

/** The end of the name says what the file is, so the middle gives way, by whole letters as people see them. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const extension = extensionOf(name);
  if (extension === '') return withoutExtension(firstLetters(name, maxBytes).trimEnd());
  const tail = name.slice(-extension.length - 1);
  return firstLetters(name.slice(0, -tail.length), maxBytes - tail.length) + tail;
}

/** At least a part of the first letter, which may have more marks than there is room for. */
function firstLetters(text: string, bytes: number): string {
  return fitting(wholeLetters(text), bytes) || fitting(text, bytes);
}

function* wholeLetters(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

const segmenter = new Intl.Segmenter();

function fitting(pieces: Iterable<string>, bytes: number): string {
  let text = '';
  for (const piece of pieces) {
    if (Buffer.byteLength(text + piece) > bytes) break;
    text += piece;
  }
  return text;
}

/** What was cut must not look like an extension now. */
function withoutExtension(name: string): string {
  return extensionOf(name) === '' ? name : withoutExtension(name.slice(0, name.lastIndexOf('.')).trimEnd());
}

/** Lower case and without its dot; empty where there is none, or none that could stand in a link. */
export function extensionOf(name: string): string {
  const at = name.lastIndexOf('.');
  const extension = at > 0 ? name.slice(at + 1).toLowerCase() : '';
  return /^[a-z0-9]{1,16}$/.test(extension) ? extension : '';
}

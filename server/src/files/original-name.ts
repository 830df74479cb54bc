/** Control characters, and the marks that make text run the other way: `gpj.exe` must not look like `exe.jpg`. */
const invisible = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** What the common filesystems can hold. */
const maxBytes = 255;

/** A client's file name as it is kept and shown: the last part of a path, in any script, without what could deceive. */
export function cleanOriginalName(sent: string): string {
  const base = sent.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = base.replaceAll(invisible, '').trim().normalize('NFC');
  return clean === '' || clean === '.' || clean === '..' ? 'file' : shorten(clean);
}

/** The end of the name says what the file is, so the middle gives way, by whole letters as people see them. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const extension = extensionOf(name);
  const tail = extension === '' ? '' : `.${extension}`;
  let head = '';
  for (const { segment } of letters.segment(name.slice(0, name.length - tail.length))) {
    if (Buffer.byteLength(head + segment + tail) > maxBytes) break;
    head += segment;
  }
  return head + tail;
}

const letters = new Intl.Segmenter();

/** Lower case and without its dot; empty where there is none, or none that could stand in a link. */
export function extensionOf(name: string): string {
  const at = name.lastIndexOf('.');
  const extension = at > 0 ? name.slice(at + 1).toLowerCase() : '';
  return /^[a-z0-9]{1,16}$/.test(extension) ? extension : '';
}

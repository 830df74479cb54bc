/**
 * The content type of a file, by its extension and never by what a client claims. Only types that a browser displays
 * without running anything are inline; everything else is a download.
 */
export interface Presentation {
  readonly contentType: string;
  readonly disposition: 'inline' | 'attachment';
}

const text = 'text/plain; charset=utf-8';

/** Images, video, audio, and text that cannot run. */
const inline: Readonly<Record<string, string>> = {
  png: 'image/png',
  apng: 'image/apng',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  bmp: 'image/bmp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  mp4: 'video/mp4',
  m4v: 'video/x-m4v',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  '3gp': 'video/3gpp',
  '3g2': 'video/3gpp2',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  aac: 'audio/aac',
  aiff: 'audio/aiff',
  txt: text,
  log: text,
  md: text,
  csv: text,
  ini: text,
  cfg: text,
  conf: text,
  toml: text,
  yml: text,
  yaml: text,
  properties: text,
  lang: text,
  json: 'application/json',
  mcmeta: 'application/json',
};

const attachment: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  rtf: 'application/rtf',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  zip: 'application/zip',
  '7z': 'application/x-7z-compressed',
  rar: 'application/vnd.rar',
  tar: 'application/x-tar',
  gz: 'application/gzip',
  tgz: 'application/gzip',
  xz: 'application/x-xz',
  mcpack: 'application/zip',
  mcaddon: 'application/zip',
  jar: 'application/java-archive',
  exe: 'application/vnd.microsoft.portable-executable',
  apk: 'application/vnd.android.package-archive',
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  // As for all text, the charset keeps a browser from choosing an encoding in which harmless bytes become markup. It
  // overrides the encoding that the file declares, but not a byte order mark (RFC 7303 section 3).
  svg: 'image/svg+xml; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const unknown: Presentation = { contentType: 'application/octet-stream', disposition: 'attachment' };

export function presentationOf(extension: string): Presentation {
  if (Object.hasOwn(inline, extension)) return { contentType: inline[extension] ?? text, disposition: 'inline' };
  if (Object.hasOwn(attachment, extension))
    return { contentType: attachment[extension] ?? '', disposition: 'attachment' };
  return unknown;
}

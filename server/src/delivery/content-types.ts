import types from 'mime-db/db.json' with { type: 'json' };

export interface Presentation {
  readonly contentType: string;
  /** Only what a browser shows without running anything is inline. */
  readonly disposition: 'inline' | 'attachment';
}

// A charset keeps a browser from choosing an encoding in which harmless bytes become markup (RFC 7303 section 3).
const extensionsOf = {
  inline: {
    'image/png': 'png',
    'image/apng': 'apng',
    'image/jpeg': 'jpg jpeg jfif',
    'image/webp': 'webp',
    'image/gif': 'gif',
    'image/bmp': 'bmp',
    'image/avif': 'avif',
    'image/x-icon': 'ico',
    'image/heic': 'heic',
    'image/heif': 'heif',
    'image/jxl': 'jxl',
    'image/tiff': 'tiff tif',
    'video/mp4': 'mp4',
    'video/x-m4v': 'm4v',
    'video/webm': 'webm',
    'video/x-matroska': 'mkv',
    'video/quicktime': 'mov',
    'video/x-msvideo': 'avi',
    'video/3gpp': '3gp',
    'video/3gpp2': '3g2',
    'video/ogg': 'ogv',
    'audio/mpeg': 'mp3',
    'audio/ogg': 'ogg oga opus',
    'audio/wav': 'wav',
    'audio/mp4': 'm4a m4b',
    'audio/webm': 'weba',
    'audio/flac': 'flac',
    'audio/aac': 'aac',
    'audio/aiff': 'aiff',
    'text/plain; charset=utf-8': 'txt log md csv ini cfg conf toml yml yaml properties lang',
    'text/vtt; charset=utf-8': 'vtt',
    'application/json': 'json mcmeta',
  },
  attachment: {
    'application/pdf': 'pdf',
    'application/rtf': 'rtf',
    'application/vnd.oasis.opendocument.text': 'odt',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
    'application/zip': 'zip',
    // A phone would rename a pack to the extension that it knows for its type, so it knows none of these.
    'application/vnd.minecraft.mcpack': 'mcpack',
    'application/vnd.minecraft.mcaddon': 'mcaddon',
    'application/vnd.minecraft.mcworld': 'mcworld',
    'application/vnd.minecraft.mctemplate': 'mctemplate',
    'application/x-modrinth-modpack+zip': 'mrpack',
    // The type that phones know for them; mime-db has one for both.
    'application/vnd.comicbook+zip': 'cbz',
    'application/vnd.comicbook-rar': 'cbr',
    'application/x-7z-compressed': '7z',
    'application/vnd.rar': 'rar',
    'application/x-tar': 'tar',
    'application/gzip': 'gz tgz',
    'application/x-xz': 'xz',
    'application/java-archive': 'jar',
    'application/vnd.microsoft.portable-executable': 'exe',
    'application/vnd.android.package-archive': 'apk',
    'text/html; charset=utf-8': 'html htm',
    'image/svg+xml; charset=utf-8': 'svg',
    'application/xml; charset=utf-8': 'xml',
    'text/javascript; charset=utf-8': 'js',
    'text/css; charset=utf-8': 'css',
  },
} as const satisfies Record<Presentation['disposition'], Readonly<Record<string, string>>>;

const unknown: Presentation = { contentType: 'application/octet-stream', disposition: 'attachment' };

interface KnownType {
  readonly source?: string;
  readonly compressible?: boolean;
  readonly extensions?: readonly string[];
}

const sources = ['iana', 'apache', 'nginx', undefined];
/** A browser would run it as a page or a script. */
const runs = /xhtml|javascript|ecmascript/;

function* registered(): Generator<[extension: string, Presentation]> {
  const known: readonly [string, KnownType][] = Object.entries(types);
  // The last one of an extension stays.
  const worstFirst = known.toSorted(([, a], [, b]) => sources.indexOf(b.source) - sources.indexOf(a.source));
  for (const [type, { extensions = [] }] of worstFirst) {
    if (type === unknown.contentType || runs.test(type)) continue;
    const contentType = /^text\/|[/+]xml$/.test(type) ? `${type}; charset=utf-8` : type;
    for (const extension of extensions) yield [extension, { contentType, disposition: 'attachment' }];
  }
}

function* chosen(): Generator<[extension: string, Presentation]> {
  for (const disposition of ['inline', 'attachment'] as const)
    for (const [contentType, extensions] of Object.entries(extensionsOf[disposition]))
      for (const extension of extensions.split(' ')) yield [extension, { contentType, disposition }];
}

const presentations: ReadonlyMap<string, Presentation> = new Map([...registered(), ...chosen()]);

export const presentationOf = (extension: string): Presentation => presentations.get(extension) ?? unknown;

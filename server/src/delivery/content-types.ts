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
    'image/jpeg': 'jpg jpeg',
    'image/webp': 'webp',
    'image/gif': 'gif',
    'image/bmp': 'bmp',
    'image/avif': 'avif',
    'image/x-icon': 'ico',
    'video/mp4': 'mp4',
    'video/x-m4v': 'm4v',
    'video/webm': 'webm',
    'video/x-matroska': 'mkv',
    'video/quicktime': 'mov',
    'video/x-msvideo': 'avi',
    'video/3gpp': '3gp',
    'video/3gpp2': '3g2',
    'audio/mpeg': 'mp3',
    'audio/ogg': 'ogg opus',
    'audio/wav': 'wav',
    'audio/mp4': 'm4a',
    'audio/flac': 'flac',
    'audio/aac': 'aac',
    'audio/aiff': 'aiff',
    'text/plain; charset=utf-8': 'txt log md csv ini cfg conf toml yml yaml properties lang',
    'application/json': 'json mcmeta',
  },
  attachment: {
    'application/pdf': 'pdf',
    'application/rtf': 'rtf',
    'application/vnd.oasis.opendocument.text': 'odt',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
    'application/zip': 'zip mcpack mcaddon',
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

const presentations: ReadonlyMap<string, Presentation> = new Map(
  (['inline', 'attachment'] as const).flatMap((disposition) =>
    Object.entries(extensionsOf[disposition]).flatMap(([contentType, extensions]) =>
      extensions.split(' ').map((extension) => [extension, { contentType, disposition }] as const),
    ),
  ),
);

const unknown: Presentation = { contentType: 'application/octet-stream', disposition: 'attachment' };

export const presentationOf = (extension: string): Presentation => presentations.get(extension) ?? unknown;

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Fonts and images are compressed already, and a page is not the same twice: each answer has its own nonce. */
const worthIt = new Set(['.css', '.js', '.json', '.svg', '.txt', '.webmanifest']);

/** Brotli by itself takes its best, and slowest, quality. */
const compress = {
  '.br': brotliCompressSync,
  '.gz': (bytes) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** Puts a `.br` and a `.gz` beside each file below `folder`, where that is smaller by at least a tenth. */
export function compressAssets(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!worthIt.has(extname(name))) continue;
    const path = join(folder, name);
    const bytes = readFileSync(path);
    for (const [extension, compressed] of Object.entries(compress)) {
      const smaller = compressed(bytes);
      if (smaller.length < bytes.length * 0.9) writeFileSync(path + extension, smaller);
    }
  }
}

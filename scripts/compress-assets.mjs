import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Fonts and images are already compressed, and a page differs in each response because of its nonce. */
const worthIt = new Set(['.css', '.js', '.json', '.svg', '.txt', '.webmanifest']);

/** Brotli's default is its best, and slowest, quality. */
const compress = {
  '.br': brotliCompressSync,
  '.gz': (bytes) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** Writes a `.br` and a `.gz` file beside each file below `folder` if it is smaller by at least a tenth. */
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

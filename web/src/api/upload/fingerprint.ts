import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const sampleBytes = 65_536;

/** Of the file's first bytes. A page without TLS has no digests of the browser's own. */
export async function fingerprintOf(file: File): Promise<string> {
  const sample = await file.slice(0, sampleBytes).arrayBuffer();
  return bytesToHex(sha256(new Uint8Array(sample)));
}

import { readFileSync } from 'node:fs';

const pageBytes = 4096;

/**
 * Returns the bytes that the kernel holds for all TCP connections of the machine, of every program, or null where the
 * system does not tell. No process's RSS includes them. Reading takes some 30 µs, without a disk.
 */
export function readTcpMemory(): number | null {
  try {
    const pages = /^TCP: .*\bmem (\d+)/m.exec(readFileSync('/proc/net/sockstat', 'latin1'))?.[1];
    return pages === undefined ? null : Number(pages) * pageBytes;
  } catch {
    return null;
  }
}

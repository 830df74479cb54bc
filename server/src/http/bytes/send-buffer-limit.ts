import { readFileSync } from 'node:fs';

/** A larger value is none: the whole send buffer, 4 MB by default, may hold bytes that were not sent. */
const largest = 16 * 1024 * 1024;

/** Returns whether the system lets each connection keep megabytes of unsent bytes in the kernel. */
export function sendBuffersAreUnlimited(): boolean {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/tcp_notsent_lowat', 'latin1')) > largest;
  } catch {
    // Not Linux.
    return false;
  }
}

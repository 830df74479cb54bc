import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';

/** Bytes that the kernel holds for each peer because the peer has not acknowledged them. */
export type SendQueues = ReadonlyMap<string, number>;

/**
 * Reads the send queue of every connection of a local port, also of those that this process has closed. Returns null
 * where the system has no such tables. The system needs 5 ms for its whole hash table and 5 ms for each thousand
 * connections, in a thread of the pool.
 */
export async function readSendQueues(localPort: number): Promise<SendQueues | null> {
  const tables = await Promise.all([read('/proc/net/tcp'), read('/proc/net/tcp6')]);
  return tables[0] === null ? null : parseSendQueues(tables.join('\n'), localPort);
}

const read = (path: string) => readFile(path, 'latin1').catch(() => null);

export function parseSendQueues(table: string, localPort: number): SendQueues {
  const port = hexOf(localPort, 4);
  const line = new RegExp(`: [0-9A-F]+:${port} ([0-9A-F]+:[0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):`, 'g');
  const queues = new Map<string, number>();
  for (const [, peer = '', bytes = ''] of table.matchAll(line)) queues.set(peer, Number.parseInt(bytes, 16));
  return queues;
}

/** Returns the key of a peer in the kernel's tables: its address in words of four bytes in the machine's order. */
export function peerKey(address: string, port: number): string {
  const bytes = isIPv4(address) ? bytesOfIPv4(address) : bytesOfIPv6(address);
  const words = bytes.map((_, at) => hexOf(bytes[at - (at % 4) + 3 - (at % 4)] ?? 0, 2));
  return `${words.join('')}:${hexOf(port, 4)}`;
}

const hexOf = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0');

const bytesOfIPv4 = (address: string) => address.split('.').map(Number);

function bytesOfIPv6(address: string): number[] {
  const [plain = ''] = address.split('%');
  const [head = [], tail] = plain.split('::').map((part) => (part === '' ? [] : part.split(':').flatMap(bytesOfPart)));
  if (!tail) return head;
  return [...head, ...Array.from({ length: 16 - head.length - tail.length }, () => 0), ...tail];
}

function bytesOfPart(part: string): number[] {
  if (part.includes('.')) return bytesOfIPv4(part);
  const value = Number.parseInt(part, 16);
  return [value >> 8, value & 255];
}

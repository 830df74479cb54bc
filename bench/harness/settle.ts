import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './children.ts';
import type { Holdfast } from './holdfast.ts';
import { blobPathOf } from './stored-blob.ts';

/**
 * Takes away what a round stored and lets the disk come to rest, its discards too, so that every round starts alike. A
 * virtual machine gets memory from its host when it is touched for the first time: without this each round's page
 * cache would be such memory, and writing a megabyte to it takes ten times as long.
 */
export async function settle(server: Holdfast, links: readonly string[]): Promise<void> {
  for (const link of links) await rm(join(server.dataDir, 'blobs', blobPathOf(server, link)), { force: true });
  await runProgram('sync', []);
}

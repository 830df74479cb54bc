import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './children.ts';
import type { Holdfast } from './holdfast.ts';
import { blobPathOf } from './stored-blob.ts';

/**
 * Deletes what a round stored and lets the disk settle, including its discards, so that every round starts in the same
 * state. A virtual machine gets memory from its host on first touch: without this, each round's page cache would use
 * such memory, and writing a megabyte to it takes ten times as long.
 */
export async function settle(server: Holdfast, links: readonly string[]): Promise<void> {
  for (const link of links) await rm(join(server.dataDir, 'blobs', blobPathOf(server, link)), { force: true });
  await runProgram('sync', []);
}

import { StorageFull } from '../../engines/blobs/blobs.ts';
import { isDatabaseFull } from '../../engines/database/database.ts';
import type { Targets } from './targets.ts';
import { UnusableMove } from './unusable-move.ts';

/**
 * Refuses a storage without space for the bytes, before hours of copying.
 * @throws {UnusableMove}
 */
export async function refuseSmallStorage({ bytes }: Targets, total: number): Promise<void> {
  const space = await bytes?.at.space();
  if (!bytes || !space || space.free >= total) return;
  let there = 0;
  for await (const { size } of bytes.at.list()) there += size;
  if (space.free >= total - there) return;
  throw new UnusableMove(
    `The storage ${bytes.place} has ${inGB(space.free)} free, and ${inGB(total - there)} are to be copied.`,
  );
}

const inGB = (size: number) => `${(size / 1e9).toFixed(2)} GB`;

/** Names the target if it is full. */
export function nameFull(error: unknown, { database, bytes }: Targets): unknown {
  const again = 'Make space there, and give the command again.';
  if (error instanceof StorageFull && bytes)
    return new UnusableMove(`The storage ${bytes.place} is full. ${again}`, { cause: error });
  if (isDatabaseFull(error) && database)
    return new UnusableMove(`The disk of the database ${database.place} is full. ${again}`, { cause: error });
  return error;
}

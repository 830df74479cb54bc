import { blobs, database } from '@holdfast/server/src/config/engine-kinds.ts';
import { type Kind, readValue } from '@holdfast/server/src/config/read-setting.ts';

export type MoveTargets = ReturnType<typeof readMoveTargets>;

export const readMoveTargets = ({ toDatabase, toBlobs }: { toDatabase?: string; toBlobs?: string }) => ({
  database: targetOf('--to-database', database, toDatabase),
  blobs: targetOf('--to-blobs', blobs, toBlobs),
});

const targetOf = <Engine>(option: string, kind: Kind<Engine>, found: string | undefined) =>
  found === undefined ? null : { engine: readValue(option, kind, found), place: withoutPassword(found) };

function withoutPassword(found: string): string {
  const url = /^\w+:\/\//.test(found) ? URL.parse(found) : null;
  if (!url) return found;
  url.password = '';
  if (url.protocol.startsWith('postgres')) url.searchParams.delete('password');
  return url.href;
}

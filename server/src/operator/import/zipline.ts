import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { OperatorError } from '../../lib/operator-error.ts';

/** As `GET /api/server/export` of Zipline 4 writes it. */
const ziplineExport = z.object({
  versions: z.object({ export: z.literal('4') }),
  data: z.object({
    users: z.array(z.object({ id: z.string(), username: z.string() })),
    files: z.array(z.object({ name: z.string(), originalName: z.nullish(z.string()), userId: z.nullish(z.string()) })),
  }),
});

/** The original names of files by those in the folder of Zipline's uploads, and in the archive that it makes for a user. */
export async function readZipline(path: string, user?: string): Promise<ReadonlyMap<string, string>> {
  const read = ziplineExport.safeParse(parsed(await readFile(path, 'utf8')));
  if (!read.success) throw new OperatorError(`${path} is no export of Zipline 4.`);
  const { users, files } = read.data.data;
  const owner = users.find(({ username }) => username === user);
  if (user !== undefined && !owner) throw new OperatorError(`The export has no user '${user}'.`);
  const chosen = owner ? files.filter(({ userId }) => userId === owner.id) : files;
  return new Map(chosen.map(({ name, originalName }) => [name, originalName ?? name]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

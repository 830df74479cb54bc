import { lstat } from 'node:fs/promises';

/**
 * Refuses a folder whose old files are about to be deleted if it is a link: what is behind it belongs to somebody else.
 */
export async function refuseLink(folder: string): Promise<void> {
  if ((await lstat(folder)).isSymbolicLink()) throw new Error(`${folder} is a symbolic link, and must be a folder`);
}

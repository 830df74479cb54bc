import { join } from 'node:path';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { type Account, openAccount } from './account.ts';
import { uploadAll } from './curl.ts';
import type { Holdfast } from './holdfast.ts';
import { makeNew, writePayload } from './payload.ts';
import { blobPathOf } from './stored-blob.ts';

export interface StoredFile {
  readonly account: Account;
  readonly link: string;
  readonly sha256: string;
  readonly size: number;
  /** Path of the original file, outside of the server. */
  readonly path: string;
  /** Path of the stored bytes, below the server's blob folder. */
  readonly blobPath: string;
}

/** Uploads a new file of a new account in the usual way. */
export async function storeFile(folder: string, server: Holdfast, plan: PlanLevel, size: number): Promise<StoredFile> {
  const account = await openAccount(server, plan);
  const path = await writePayload(join(folder, `payload-${plan}`), size);
  const sha256 = await makeNew(path);
  const { links } = await uploadAll(server.url, [{ account, path, sha256 }]);
  const [link = ''] = links;
  return { account, link, sha256, size, path, blobPath: blobPathOf(server, link) };
}

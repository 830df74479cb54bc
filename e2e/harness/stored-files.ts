/** The contents of an account, read through the API with its key. */
import { type Client, createClient } from '@holdfast/contract/src/client.ts';
import type { StoredFile } from '@holdfast/contract/src/files.ts';
import { fromNewAddress } from './client-address.ts';
import type { Site } from './site.ts';
import type { Person } from './test.ts';

/** Oldest first. */
export async function storedFiles(site: Site, person: Person): Promise<readonly StoredFile[]> {
  const query = { column: 'upload_time', direction: 'asc', limit: 500 } as const;
  return (await clientOf(site, person).getFileList({ query })).files;
}

export const storedNames = async (site: Site, person: Person): Promise<readonly string[]> =>
  (await storedFiles(site, person)).map((file) => file.original_name);

function clientOf(site: Site, { apiKey }: Person): Client {
  const ask: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...fromNewAddress() } });
  return createClient(ask, { origin: site.url, apiKey });
}

/** Backdates the upload of every stored file by the given number of days. */
export function ageFiles(site: Site, { email }: Person, days: number): void {
  using database = site.openDatabase();
  database
    .prepare(
      'UPDATE files SET uploaded_at = uploaded_at - ? WHERE account_id = (SELECT id FROM accounts WHERE email_key = ?)',
    )
    .run(days * 86_400_000, email.toLowerCase());
}

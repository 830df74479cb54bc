import { type Holdfast, type StoredFile } from '@holdfast/client/src/client.ts';
import { Problem } from './exit-code.ts';
import { sizeText } from './progress.ts';
import { open, siteOf } from './sites.ts';

interface Flags {
  readonly site?: string;
  readonly json?: boolean;
}
export type ListFlags = Flags & { readonly sort: 'upload_time'; readonly reverse?: boolean };

/** Of a link, or of a name with or without its extension. */
export function storedNameOf(file: string): string {
  const [name = ''] = (file.split(/[?#]/)[0]?.split('/').at(-1) ?? '').split('.');
  return name;
}

export async function list(words: readonly string[], { site, json, sort, reverse }: ListFlags): Promise<void> {
  const direction = reverse ? 'asc' : 'desc';
  const query = { column: sort, direction, search: words.join(' ') } as const;
  for await (const file of open(siteOf(site)).listFiles(query))
    process.stdout.write(json ? `${JSON.stringify(file)}\n` : `${lineOf(file)}\n`);
}

const lineOf = ({ name, extension, size, hits, is_favorite, original_name }: StoredFile) =>
  [
    extension === '' ? name : `${name}.${extension}`,
    sizeText(size),
    hits,
    is_favorite ? '*' : '-',
    // Control characters could move the cursor of the terminal.
    original_name.replaceAll(/\p{Cc}/gu, '?'),
  ].join('\t');

export async function remove(files: readonly string[], { site }: Flags): Promise<void> {
  const holdfast = open(siteOf(site));
  const names = [...new Set(files.map(storedNameOf))];
  const deleted = new Set<string>();
  for (let at = 0; at < names.length; at += 500) {
    const reply = await holdfast.deleteFiles({ body: { files: names.slice(at, at + 500) } });
    for (const name of reply.deleted) deleted.add(name);
  }
  const missing = names.filter((name) => !deleted.has(name));
  if (missing.length > 0) throw new Problem('notFound', `There is no such file: ${missing.join(', ')}`);
}

export async function favorite(
  files: readonly string[],
  { site, off }: Flags & { readonly off?: boolean },
): Promise<void> {
  const holdfast = open(siteOf(site));
  for (const file of files) await setFavorite(holdfast, file, !off);
}

/** The API flips the mark; a command must be safe to repeat. */
export async function setFavorite(holdfast: Holdfast, file: string, wanted: boolean): Promise<void> {
  const { name, is_favorite: is } = await fileFacts(holdfast, file);
  if (is !== wanted) await holdfast.toggleFavorite({ body: { file: name } });
}

/** Of a file, or of the account. */
export async function info(file: string | undefined, { site, json }: Flags): Promise<void> {
  const at = siteOf(site);
  const facts = file === undefined ? await accountFacts(open(at), at.url) : await fileFacts(open(at), file);
  const lines = Object.entries(facts).map(([name, value]) => `${name}\t${String(value).replaceAll(/\p{Cc}/gu, '?')}\n`);
  process.stdout.write(json ? `${JSON.stringify(facts)}\n` : lines.join(''));
}

async function accountFacts(holdfast: Holdfast, site: string) {
  const { account } = await holdfast.getAccountInfo();
  const { email, level } = account.info;
  return { site, email, level, ...account.usage, ...account.limits };
}

async function fileFacts(holdfast: Holdfast, file: string): Promise<StoredFile> {
  const name = storedNameOf(file);
  for await (const each of holdfast.listFiles({ search: name })) if (each.name === name) return each;
  throw new Problem('notFound', `There is no such file: ${file}`);
}

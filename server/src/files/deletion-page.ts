/** A link that deletes one file, without a session: programs such as ShareX keep it in their history. */
import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import { type PageText, pageOf, pagePolicy } from '../delivery/error-page.ts';
import { apiHeaders } from '../http/response-headers.ts';
import { deriveKey } from '../lib/derive-key.ts';
import { deleteForLink } from './delete.ts';

const root = '/delete/';
export const deletionRoute = `${root}:name/:token`;

export const deletionLink = (context: Pick<Context, 'secret' | 'config'>, name: string): string =>
  `${context.config.origins.app}${root}${name}/${tokenOf(context, name)}`;

/** Names are never used again. */
const tokenOf = ({ secret }: Pick<Context, 'secret'>, name: string): string =>
  deriveKey(secret, `deletion of ${name}`).toString('base64url');

export interface DeletionAddress {
  readonly name: string;
  readonly token: string;
}

interface Shown {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/** Programs open links in advance, so only the button of the page deletes. */
export async function showDeletion(context: Context, address: DeletionAddress): Promise<Shown> {
  const file = await findFile(context, address);
  if (!file) return show(context, nothing, 404);
  const { original_name: name, size, uploaded_at: at } = file;
  const day = new Date(at).toISOString().slice(0, 10);
  const text = `${size.toLocaleString('en')} bytes, uploaded on ${day}. Its link stops working at once. The owner can restore it within 24 hours.`;
  return show(context, { heading: `Delete ${name}?`, text, button: 'Delete file' });
}

export async function deleteByLink(context: Context, address: DeletionAddress): Promise<Shown> {
  const file = await findFile(context, address);
  if (!file || !(await deleteForLink(context, file.account_id, file.name))) return show(context, nothing, 404);
  return show(context, { heading: 'File deleted', text: `${file.original_name} is no longer available.` });
}

async function findFile(context: Context, { name, token }: DeletionAddress) {
  const [sent, right] = [Buffer.from(token), Buffer.from(tokenOf(context, name))];
  if (sent.length !== right.length || !timingSafeEqual(sent, right)) return undefined;
  return context.db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select(['files.account_id', 'files.name', 'files.original_name', 'files.size', 'files.uploaded_at'])
    .where('files.name', '=', name)
    .where('files.deleted_at', 'is', null)
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirst();
}

const show = ({ config }: Context, page: PageText, status = 200): Shown => ({
  status,
  headers,
  html: pageOf(config, page),
});

const nothing = { heading: 'Nothing to delete', text: 'This link is wrong, or the file was deleted before.' } as const;

const headers = {
  ...apiHeaders,
  'Content-Security-Policy': `${pagePolicy['Content-Security-Policy'].replace("form-action 'none'", "form-action 'self'")}; frame-ancestors 'none'`,
  'Content-Type': pagePolicy['Content-Type'],
  'X-Robots-Tag': 'noindex',
} as const;

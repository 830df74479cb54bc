import type { FileList, StoredFile } from '@holdfast/contract/src/files.ts';
import { sortColumns, sortDirections } from '@holdfast/contract/src/limits.ts';
import { limitsOf, usageOf } from '../accounts/info.ts';
import { preferredDomain } from '../accounts/settings.ts';
import type { Context } from '../context.ts';
import { timeText } from '../lib/clock.ts';
import { presentationOf } from '../delivery/content-types.ts';
import type { ListRow } from './list-columns.ts';
import { type ListQuery, readPage } from './read-page.ts';

/** Returns one page of an account's files with everything else that the screen shows. */
export async function listFiles(context: Context, accountId: string, query: ListQuery): Promise<FileList> {
  // Uses one snapshot: the count decides from which end the page is read, so it must match the rows.
  const { account, total, rows } = await context.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const row = await tx.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
      return { account: row, ...(await readPage(tx, row, query)) };
    });
  const files = rows.map(describe);
  return {
    files,
    file_list: files,
    show_file_extensions: account.return_file_extension === 1,
    preferred_domain: preferredDomain(context, account),
    sorting: { column: query.column, direction: query.direction },
    sorting_options: { columns: [...sortColumns], directions: [...sortDirections] },
    pagination: { page: query.page, limit: query.limit, total_files: total },
    account_usage: usageOf(account),
    account_limits: limitsOf(context, account),
  };
}

function describe(row: ListRow): StoredFile {
  return {
    sha256: row.sha256,
    original_name: row.original_name,
    extension: row.extension,
    name: row.name,
    size: row.size,
    content_type: presentationOf(row.extension).contentType,
    hits: row.hits,
    last_accessed: row.last_accessed_at === 0 ? null : timeText(row.last_accessed_at),
    time_added: timeText(row.uploaded_at),
    is_favorite: row.is_favorite === 1,
    is_pending_scan: row.pending_scan === 1,
  };
}

import {
  type File,
  type FileList,
  type SortColumn,
  sortColumns,
  type SortDirection,
  sortDirections,
} from '@holdfast/contract/src/files.ts';
import { limitsOf, usageOf } from '../accounts/info.ts';
import { preferredDomain } from '../accounts/settings.ts';
import type { Context } from '../context.ts';
import type { AccountRow, FileRow } from '../engines/database/schema.ts';
import type { Database } from '../engines/database/database.ts';
import { timeText } from '../lib/clock.ts';
import { presentationOf } from '../delivery/content-types.ts';

export interface ListQuery {
  readonly column: SortColumn;
  readonly direction: SortDirection;
  readonly page: number;
  readonly limit: number;
}

const columnOf = {
  upload_time: 'uploaded_at',
  name: 'name',
  favorite: 'is_favorite',
  size: 'size',
  hits: 'hits',
  access_time: 'last_accessed_at',
  file_extension: 'extension',
} as const satisfies Record<SortColumn, keyof FileRow>;

/** One page of an account's files with everything that the screen around it shows. */
export async function listFiles(context: Context, accountId: string, query: ListQuery): Promise<FileList> {
  // One snapshot: the count decides from which end a page is read, so it must fit the rows.
  const { account, files } = await context.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const row = await tx.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
      return { account: row, files: await readPage(tx, row, query) };
    });
  return {
    files: files.map(describe),
    show_file_extensions: account.return_file_extension === 1,
    preferred_domain: preferredDomain(context, account),
    sorting: { column: query.column, direction: query.direction },
    sorting_options: { columns: [...sortColumns], directions: [...sortDirections] },
    pagination: { page: query.page, limit: query.limit, total_files: account.slots_used },
    account_usage: usageOf(account),
    account_limits: limitsOf(account),
  };
}

/** An index walk to the page from the nearer end: the last page costs like the first. */
async function readPage(
  db: Database,
  account: AccountRow,
  { column, direction, page, limit }: ListQuery,
): Promise<FileRow[]> {
  const total = account.slots_used;
  const skip = (page - 1) * limit;
  const count = Math.min(limit, total - skip);
  if (count <= 0) return [];
  const fromEnd = skip + count > total / 2 && skip > 0;
  const flipped = direction === 'asc' ? 'desc' : 'asc';
  const order = fromEnd ? flipped : direction;
  const rows = await db
    .selectFrom('files')
    .selectAll()
    .where('account_id', '=', account.id)
    .where('deleted_at', 'is', null)
    .orderBy(columnOf[column], order)
    .orderBy('id', order)
    .limit(count)
    .offset(fromEnd ? total - skip - count : skip)
    .execute();
  return fromEnd ? rows.toReversed() : rows;
}

function describe(row: FileRow): File {
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
  };
}

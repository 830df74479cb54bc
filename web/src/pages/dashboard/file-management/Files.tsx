import { clsx } from 'clsx';
import { useMemo } from 'react';
import type { FoundFiles } from '../../../api/files.ts';
import { useTimeZone } from '../../../api/account/settings.ts';
import { type LinkRule, originOf } from '../../../lib/link.ts';
import { site } from '../../../lib/site.ts';
import { useMedia } from '../../../lib/media.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { FileCards } from './FileCards.tsx';
import { FileTable } from './FileTable.tsx';
import type { FilesProps, ListProps } from './list-props.ts';
import { lastPage } from './pages.ts';
import type { RowsInUse } from './steady-list.ts';

/** A table if there is space for its columns, cards on a phone. */
export function Files({
  area,
  ...props
}: FilesProps & Pick<ListProps, 'names' | 'rule'> & { readonly area: RowsInUse }) {
  const timeZone = useTimeZone();
  const narrow = useMedia('(max-width: 859.98px)');
  const { list, fading } = props;
  const List = narrow ? FileCards : FileTable;
  return (
    <Card
      {...area}
      aria-busy={!list || fading}
      className={clsx('overflow-clip transition-opacity duration-150', fading && 'opacity-60')}
    >
      {list && list.files.length === 0 ? (
        <NoFiles list={list} address={props.address} onSearch={props.onSearch} onFavorites={props.onFavorites} />
      ) : (
        <List {...props} timeZone={timeZone} />
      )}
    </Card>
  );
}

export function useLinkRule(list: FoundFiles | undefined): LinkRule {
  const { preferred_domain = '', show_file_extensions = false } = list ?? {};
  return useMemo(
    () => ({ origin: originOf(preferred_domain, site.fileOrigins), show_file_extensions }),
    [preferred_domain, show_file_extensions],
  );
}

interface NoFilesProps extends Pick<FilesProps, 'address' | 'onSearch' | 'onFavorites'> {
  readonly list: FoundFiles;
}

/** Message and next step for an empty list: no files at all, no matches, or nothing on this page. */
function NoFiles({
  list: {
    pagination,
    wanted: { search, favorites },
  },
  address,
  onSearch,
  onFavorites,
}: NoFilesProps) {
  if (pagination.total_files > 0)
    return (
      <EmptyState
        title={`There is nothing on page ${pagination.page}`}
        action={
          <ButtonLink
            to="/dashboard/file-management"
            search={{ ...address, page: lastPage(pagination) }}
            resetScroll={false}
          >
            Go to the last page
          </ButtonLink>
        }
      >
        The list is now shorter, or the address was mistyped.
      </EmptyState>
    );
  if (search !== '')
    return (
      <EmptyState title="No file matches" action={<Button onClick={() => onSearch('')}>Clear filter</Button>}>
        No {favorites ? 'favorite' : 'file name or type'} contains{' '}
        <span className="font-medium wrap-anywhere text-ink">{search}</span>. Try a shorter filter.
      </EmptyState>
    );
  if (favorites)
    return (
      <EmptyState title="No favorites yet" action={<Button onClick={() => onFavorites(false)}>Show all files</Button>}>
        Press the star of a file to find it here. Favorites are never deleted automatically.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No files yet"
      action={
        <ButtonLink variant="primary" to="/dashboard" activeOptions={{ exact: true }}>
          Upload Files
        </ButtonLink>
      }
    >
      Upload a file to get a public link. It will show up here with its download count.
    </EmptyState>
  );
}

import type { FoundFiles } from '../../../api/files.ts';
import { Button } from '../../../ui/Button.tsx';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { FilesProps } from './list-props.ts';
import { lastPage } from './pages.ts';

export interface NoFilesProps extends Pick<FilesProps, 'address' | 'onSearch'> {
  readonly list: FoundFiles;
}

/** Nothing at all, nothing that matches, or nothing on this page: each says so and leads on. */
export function NoFiles({ list: { pagination, search }, address, onSearch }: NoFilesProps) {
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
        The list has become shorter, or the address was mistyped.
      </EmptyState>
    );
  if (search !== '')
    return (
      <EmptyState title="No file matches" action={<Button onClick={() => onSearch('')}>Clear filter</Button>}>
        No name and no type has <span className="font-medium wrap-anywhere text-ink">{search}</span> in it. Fewer
        letters find more.
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
      Each file that you upload gets one public link, and stands here with its hits.
    </EmptyState>
  );
}

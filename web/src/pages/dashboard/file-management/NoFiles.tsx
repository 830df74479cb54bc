import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { Card } from '../../../ui/Card.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { lastPage } from './pages.ts';
import type { PagerProps } from './Pager.tsx';

/** Nothing at all, or nothing on this page: both say so and lead on. */
export function NoFiles({ pagination, sorting, page }: PagerProps & { readonly page: number }) {
  return (
    <Card>
      {pagination.total_files === 0 ? (
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
      ) : (
        <EmptyState
          title={`There is nothing on page ${page}`}
          action={
            <ButtonLink to="/dashboard/file-management" search={{ ...sorting, page: lastPage(pagination) }}>
              Go to the last page
            </ButtonLink>
          }
        >
          The list has become shorter, or the address was mistyped.
        </EmptyState>
      )}
    </Card>
  );
}

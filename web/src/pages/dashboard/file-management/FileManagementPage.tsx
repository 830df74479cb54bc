import { listLimit } from '@holdfast/contract/src/files.ts';
import { useMemo, useState } from 'react';
import { useFileList } from '../../../api/files.ts';
import { LoadFailure } from '../../../layouts/LoadFailure.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { Files } from './Files.tsx';
import { Pager } from './Pager.tsx';
import { Summary } from './Summary.tsx';
import { Tools } from './Tools.tsx';
import { useListAddress } from './use-list-address.ts';
import { useSelection } from './use-selection.ts';

export function FileManagementPage() {
  const { sorting, page, sortBy } = useListAddress();
  const query = useFileList({ ...sorting, page, limit: listLimit.default });
  const list = query.data;
  const names = useMemo(() => list?.files.map(({ name }) => name) ?? [], [list]);
  const { selected, choose, chooseAll } = useSelection(names);
  const [previews, setPreviews] = useState(true);
  return (
    // On a phone fingers press: everything is 44 pixels high there.
    <div className="max-[860px]:[--control:44px]">
      <PageTitle>File Management</PageTitle>
      <Summary list={list} />
      <Tools
        selected={selected}
        onDeleted={() => chooseAll(false)}
        refreshing={query.isFetching}
        onRefresh={() => void query.refetch()}
        previews={previews}
        onPreviews={setPreviews}
      />
      {query.isError && (
        <LoadFailure
          title={list ? 'The list could not be refreshed' : 'The list could not be loaded'}
          error={query.error}
          onRetry={() => void query.refetch()}
          className="mb-3"
        />
      )}
      {(list !== undefined || query.isPending) && (
        <Files
          list={list}
          fading={query.isPlaceholderData}
          page={page}
          sorting={sorting}
          onSort={sortBy}
          selected={selected}
          onSelect={choose}
          onSelectAll={chooseAll}
          previews={previews}
        />
      )}
      {list && list.files.length > 0 && <Pager pagination={list.pagination} sorting={sorting} />}
    </div>
  );
}

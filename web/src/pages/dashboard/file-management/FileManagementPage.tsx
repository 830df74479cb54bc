import { useMemo, useState } from 'react';
import { useFileList } from '../../../api/files.ts';
import { LoadFailure } from '../../../layouts/LoadFailure.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import { Files } from './Files.tsx';
import { FilterBox } from './FilterBox.tsx';
import { Pager } from './Pager.tsx';
import { SpokenPage } from './SpokenPage.tsx';
import { Summary } from './Summary.tsx';
import { Tools } from './Tools.tsx';
import { useListAddress } from './use-list-address.ts';
import { useSelection } from './use-selection.ts';

export function FileManagementPage() {
  const { address, sortBy, searchFor, resize, turnTo } = useListAddress();
  const query = useFileList(address);
  const list = query.data;
  const fading = query.isPlaceholderData;
  const names = useNames(list?.files ?? []);
  const { selected, choose, chooseAll } = useSelection(names);
  const [previews, setPreviews] = useState(true);
  const region = useKeptFocus();
  return (
    // On a phone fingers press: everything is 44 pixels high there.
    <div className="max-[860px]:[--control:44px]">
      <PageTitle>File Management</PageTitle>
      <Summary list={list} />
      <Tools
        filter={<FilterBox search={address.search} onSearch={searchFor} list={list} />}
        selected={selected}
        onDeleted={() => chooseAll(false)}
        refreshing={query.isFetching}
        onRefresh={() => void query.refetch()}
        previews={previews}
        onPreviews={setPreviews}
      />
      <SpokenPage list={fading ? undefined : list} />
      <section {...region.props} aria-label="Your files" tabIndex={-1} className="outline-none">
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
            names={names}
            fading={fading}
            address={address}
            onSort={sortBy}
            onSearch={searchFor}
            selected={selected}
            onSelect={choose}
            onSelectAll={chooseAll}
            previews={previews}
          />
        )}
        {list && list.files.length > 0 && (
          <Pager
            pagination={{ ...list.pagination, page: address.page, limit: address.limit }}
            address={address}
            drawn={list.pagination.limit}
            onTurn={region.land}
            onGo={turnTo}
            onResize={resize}
          />
        )}
      </section>
    </div>
  );
}

/** The same array as long as the files are the same, whatever else about them changes: a star draws one row again. */
function useNames(files: readonly { readonly name: string }[]): readonly string[] {
  const together = files.map(({ name }) => name).join(' ');
  return useMemo(() => together.split(' ').filter(Boolean), [together]);
}

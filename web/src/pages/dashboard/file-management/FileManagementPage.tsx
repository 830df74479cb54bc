import type { StoredFile } from '@holdfast/contract/src/files.ts';
import { mostDeletedAtOnce, type SortColumn } from '@holdfast/contract/src/limits.ts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { errorMessage } from '../../../api/client/errors.ts';
import { type FoundFiles, useFileList, useFirstFound } from '../../../api/files.ts';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import type { FileListSearch } from '../../../lib/search-params.ts';
import { formatCount } from '../../../lib/format.ts';
import { openStoredChoice, useStore } from '../../../lib/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { textLink } from '../../../ui/text-link.ts';
import { toast } from '../../../ui/toast.tsx';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import { Files, useLinkRule } from './Files.tsx';
import { FilterBox } from './FilterBox.tsx';
import { useSelectionKeys } from './keyboard-shortcuts.ts';
import { Pager } from './Pager.tsx';
import { pageInWords } from './pages.ts';
import { keepShown, nothingSelected, selectAll, toggle, toggleRange } from './selection.ts';
import { type More, SelectionBar } from './SelectionBar.tsx';
import { nextSorting } from './sorting.ts';
import { useRowsInUse, useSteadyList } from './steady-list.ts';
import { UsageSummary } from './Summary.tsx';
import { Tools } from './Tools.tsx';

const route = getRouteApi('/dashboard/file-management');

export function FileManagementPage() {
  const { address, sortBy, searchFor, showFavorites, resize, turnTo } = useListAddress();
  const query = useFileList(address);
  const fading = query.isPlaceholderData;
  const { list, newFiles, show, remove } = useSteadyList(query.data);
  const names = useNames(list?.files ?? []);
  const { files: beyond, more, drop } = useFilesBeyond(list);
  const { selected, choose, chooseAll } = useSelection(names, beyond);
  const selectedFiles = [...(list?.files ?? []), ...beyond].filter(({ name }) => selected.has(name));
  const onDeleted = useCallback(
    (deleted: readonly string[]) => {
      remove(deleted);
      drop();
    },
    [remove, drop],
  );
  const rule = useLinkRule(list);
  const rows = useRowsInUse({ newest: query.data, shown: list, isSelecting: selected.size > 0, show });
  const previews = useStore(previewChoice) === 'on';
  const region = useKeptFocus();
  return (
    // All controls are 44 pixels high on a phone, for touch.
    <div className="max-[860px]:[--control:44px]">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <PageTitle>File Management</PageTitle>
        <div className="flex gap-x-5">
          <Link to="/dashboard/usage" hash="activity" className={textLink}>
            Activity
          </Link>
          <Link to="/dashboard/deleted-files" className={textLink}>
            Recently Deleted
          </Link>
        </div>
      </div>
      <UsageSummary list={list} />
      <Tools
        filter={<FilterBox search={address.search} onSearch={searchFor} list={list} />}
        selected={selected}
        refreshing={query.isFetching}
        onRefresh={() => void query.refetch().then(({ data }) => show(data))}
        favorites={address.favorites}
        onFavorites={showFavorites}
        onDeleted={onDeleted}
        previews={previews}
        onPreviews={(on) => previewChoice.set(on ? 'on' : 'off')}
      />
      <PageAnnouncer list={fading ? undefined : list} />
      <section {...region.props} aria-label="Your files" tabIndex={-1} className="outline-none">
        {query.isError && (
          <LoadFailure
            title={list ? 'The list could not be refreshed' : 'The list could not be loaded'}
            error={query.error}
            onRetry={() => void query.refetch()}
            className="mb-3"
          />
        )}
        <NewFiles count={newFiles} onShow={() => show(query.data)} />
        {(list !== undefined || query.isPending) && (
          <Files
            area={rows}
            list={list}
            names={names}
            fading={fading}
            address={address}
            onSort={sortBy}
            rule={rule}
            onSearch={searchFor}
            onFavorites={showFavorites}
            selected={selected}
            onSelect={choose}
            onSelectAll={chooseAll}
            onDeleted={onDeleted}
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
        {selectedFiles.length > 0 && (
          <SelectionBar
            files={selectedFiles}
            rule={rule}
            more={selectedFiles.length === names.length ? more : undefined}
            onNone={() => chooseAll(false)}
            onDeleted={onDeleted}
          />
        )}
      </section>
    </div>
  );
}

const previewChoice = openStoredChoice('previews', ['on', 'off']);

/** Sort order, filter and page are in the address, so that they can be linked and the back button works. */
function useListAddress() {
  const address = route.useSearch();
  const navigate = route.useNavigate();
  // Page 3 has other files under another sort order or filter, so the list returns to page 1.
  const change = (part: Partial<FileListSearch>, replace: boolean) =>
    navigate({ search: (now) => ({ ...now, page: 1, ...part }), replace, resetScroll: false });
  return {
    address,
    sortBy: (clicked: SortColumn) => change(nextSorting(address, clicked), false),
    // Replaces the history entry, so that each keystroke does not need a step back.
    searchFor: (search: string) => change({ search }, true),
    showFavorites: (favorites: boolean) => change({ favorites }, false),
    resize: (limit: number) => change({ limit, page: Math.ceil(firstOf(address) / limit) }, true),
    turnTo: (page: number) => navigate({ search: (now) => ({ ...now, page }), resetScroll: false }),
  } as const;
}

/** Number of the first file on the page; after a change of the page size that file is still shown. */
const firstOf = ({ page, limit }: FileListSearch): number => (page - 1) * limit + 1;

/**
 * Returns the same array until the files change. Changes of other facts, such as a star, then re-render only one row.
 */
function useNames(files: readonly { readonly name: string }[]): readonly string[] {
  const together = files.map(({ name }) => name).join(' ');
  return useMemo(() => together.split(' ').filter(Boolean), [together]);
}

const noFiles: readonly StoredFile[] = [];

/** The found files of other pages, from the press that selects them until the list or its files change. */
function useFilesBeyond(list: FoundFiles | undefined) {
  const { mutateAsync, isPending } = useFirstFound();
  const [found, setFound] = useState<{
    readonly wanted: FoundFiles['wanted'];
    readonly files: readonly StoredFile[];
  }>();
  const total = list?.pagination.total_files ?? 0;
  const count = Math.min(total, mostDeletedAtOnce);
  const load = async () => {
    if (!list) return;
    const shown = new Set(list.files.map(({ name }) => name));
    try {
      const files = await mutateAsync(list.wanted);
      if (files) setFound({ wanted: list.wanted, files: files.filter(({ name }) => !shown.has(name)) });
    } catch (error) {
      toast.error(errorMessage(error));
    }
  };
  const more: More = {
    label: `Select ${count < total ? 'the first' : 'all'} ${formatCount(count)}`,
    busy: isPending,
    onSelect: () => void load(),
  };
  return {
    files: found && found.wanted === list?.wanted ? found.files : noFiles,
    drop: useCallback(() => setFound(undefined), []),
    more: list && count > list.files.length ? more : undefined,
  } as const;
}

/** Selection of the files on screen, with click, shift-click, Ctrl-A and Escape, and of those beyond it. */
function useSelection(shown: readonly string[], beyond: readonly StoredFile[]) {
  const list = useMemo(() => [...shown, ...beyond.map(({ name }) => name)], [shown, beyond]);
  const [now, setNow] = useState({ selection: nothingSelected, list, beyond });
  if (now.list !== list) {
    const isAsked = beyond !== now.beyond && beyond.length > 0;
    setNow({ selection: isAsked ? selectAll(list) : keepShown(now.selection, list), list, beyond });
  }
  // A stable function, so that rows do not re-render.
  const choose = useCallback(
    (name: string, withShift: boolean) =>
      setNow(({ selection, ...all }) => ({
        selection: withShift ? toggleRange(selection, name, all.list) : toggle(selection, name),
        ...all,
      })),
    [],
  );
  const chooseAll = (all: boolean) => setNow({ selection: all ? selectAll(shown) : nothingSelected, list, beyond });
  useSelectionKeys(
    () => chooseAll(true),
    () => chooseAll(false),
  );
  return { selected: now.selection.names, choose, chooseAll } as const;
}

/** Floats above the list, so that nothing moves when it appears. */
function NewFiles({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <output className="sticky top-18 z-20 flex h-0 translate-y-0.5 justify-center min-[860px]:justify-start min-[860px]:pl-28">
      {count > 0 && (
        <Button className="border-edge" onClick={onShow}>
          {formatCount(count)} new {count === 1 ? 'file' : 'files'}: show
        </Button>
      )}
    </output>
  );
}

/**
 * Announces what the list shows after a change. It is empty during the change, so that identical text is announced
 * again.
 */
function PageAnnouncer({ list }: { readonly list: FoundFiles | undefined }) {
  return (
    <p aria-live="polite" aria-atomic className="sr-only">
      {list && pageInWords(list.pagination, list.wanted.search)}
    </p>
  );
}

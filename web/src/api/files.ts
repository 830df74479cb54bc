/** Queries and mutations for the account's files. */
import type { FileList } from '@holdfast/contract/src/files.ts';
import type { FilePage } from '@holdfast/contract/src/file-page.ts';
import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { mostDeletedAtOnce } from '@holdfast/contract/src/limits.ts';
import { type ActivitySearch, type FileListSearch, mostTellingWords } from '../lib/search-params.ts';
import { accountKey } from './account/account-cache.ts';
import { firstStepsQuery } from './account/first-steps.ts';
import { client } from './client/client.ts';
import { unfinishedKey } from './upload/unfinished.ts';
import { isRefusal } from './client/errors.ts';
import { renew, useAccountChange } from './account/use-account-change.ts';
import { useOneCall } from './client/use-one-call.ts';

/**
 * A page of the list together with what was requested. While the next response is pending, that may differ from the
 * address.
 */
export interface FoundFiles extends FileList {
  readonly wanted: FileListSearch;
}

export const fileListKey = ['get-file-list'] as const;

function getFileList({ favorites, search, ...wanted }: FileListSearch, signal?: AbortSignal) {
  const query = { ...wanted, search: mostTellingWords(search), ...(favorites && { favorites: 'true' as const }) };
  return client.getFileList({ query, ...(signal && { signal }) });
}

const fileListQuery = (wanted: FileListSearch) =>
  queryOptions({
    queryKey: [...fileListKey, wanted],
    // The signal also cancels a request that is no longer needed, such as one for a half-typed word.
    queryFn: async ({ signal }): Promise<FoundFiles> => ({
      ...(await getFileList(wanted, signal)),
      wanted,
    }),
    // Keeps the rows on screen while another sort order, page or filter loads.
    placeholderData: keepPreviousData,
    // Polls while a file is waiting for its scan, so that the user sees when the file is ready.
    refetchInterval: ({ state }) => (state.data?.files.some((file) => file.is_pending_scan) ? 30_000 : false),
  });

export const useFileList = (wanted: FileListSearch) => useQuery(fileListQuery(wanted));

/** As many of the found files as can be deleted at once, of all pages. */
export const useFirstFound = () =>
  useOneCall({
    mutationFn: async (wanted: FileListSearch) =>
      (await getFileList({ ...wanted, page: 1, limit: mostDeletedAtOnce })).files,
  });

/** Files were added or deleted: refetches what shows that, if it is on screen. */
export const refetchFiles = (queries: QueryClient): Promise<unknown> =>
  renew(
    queries,
    fileListKey,
    fileKey,
    accountKey,
    activityKey,
    deletedFilesKey,
    unfinishedKey,
    firstStepsQuery.queryKey,
  );

export function useDeleteFiles() {
  const queries = useQueryClient();
  return useAccountChange({
    send: (account, files: readonly string[]) => account.deleteFiles({ body: { files: [...files] } }),
    // Also after a failure: if only the response was lost, the files may be deleted anyway.
    onSettled: () => refetchFiles(queries),
  });
}

export function useRestoreFiles() {
  const queries = useQueryClient();
  return useAccountChange({
    // Ctrl-Z twice undoes two deletions.
    scope: { id: 'restore-files' },
    send: (account, files: readonly string[]) => account.restoreFiles({ body: { files: [...files] } }),
    onSettled: () => refetchFiles(queries),
  });
}

const deletedFilesKey = ['get-deleted-files'] as const;

const deletedFilesQuery = queryOptions({
  queryKey: deletedFilesKey,
  queryFn: ({ signal }) => client.getDeletedFiles({ signal }),
});

/** Files that can still be restored, newest first. */
export const useDeletedFiles = () => useQuery(deletedFilesQuery);

const fileKey = ['get-file'] as const;

const fileQuery = (name: string) =>
  queryOptions({
    queryKey: [...fileKey, name],
    queryFn: ({ signal }) => client.getFile({ query: { file: name }, signal }),
    retry: (count, error) => count < 3 && !isRefusal(error, 'FILE_NOT_FOUND') && !isRefusal(error, 'INVALID_INPUT'),
    refetchInterval: ({ state }) => (state.data?.file.is_pending_scan ? 30_000 : false),
  });

/** One file of the account, with its hits by day. */
export const useFile = (name: string) => useQuery(fileQuery(name));

/** The server computes it at the first request, which can take longer than one response may. */
const sha1Query = (name: string) =>
  queryOptions({
    queryKey: ['sha1', name],
    queryFn: async ({ signal }) => {
      const response = await fetch(`/file/${name}.sha1`, { signal });
      if (!response.ok) throw new Error(`SHA-1: ${response.status}`);
      return response.text();
    },
    staleTime: Infinity,
  });

export const useSha1 = (name: string): string | undefined => useQuery(sha1Query(name)).data;

const favoriteKey = ['toggle-favorite'] as const;

/** Toggles the star optimistically and reverts it if the server refuses. */
export function useToggleFavorite() {
  const queries = useQueryClient();
  return useAccountChange({
    mutationKey: favoriteKey,
    send: (account, name: string) => account.toggleFavorite({ body: { file: name } }),
    onMutate: async (name) => {
      await queries.cancelQueries({ queryKey: fileListKey });
      await queries.cancelQueries({ queryKey: [...fileKey, name] });
      flipFavorite(queries, name);
    },
    onError: (name) => flipFavorite(queries, name),
    onSettled: () => {
      // A list fetched while another star is still being saved would briefly revert that star.
      if (queries.isMutating({ mutationKey: favoriteKey }) === 1) return renew(queries, fileListKey, fileKey);
      return undefined;
    },
  });
}

/** Sets or removes the stars of many files. */
export function useSetFavorites() {
  const queries = useQueryClient();
  return useAccountChange({
    send: (account, { files, isFavorite }: { readonly files: readonly string[]; readonly isFavorite: boolean }) =>
      account.setFavorites({ body: { files: [...files], is_favorite: isFavorite } }),
    onSettled: () => renew(queries, fileListKey, fileKey),
  });
}

/** Flips one file instead of restoring a whole list, because other stars may have changed meanwhile. */
function flipFavorite(queries: QueryClient, name: string): void {
  queries.setQueriesData<FoundFiles>({ queryKey: fileListKey }, (list) => {
    if (!list) return list;
    const files = list.files.map((file) => (file.name === name ? { ...file, is_favorite: !file.is_favorite } : file));
    return { ...list, files };
  });
  queries.setQueryData<FilePage>([...fileKey, name], (page) =>
    page ? { ...page, file: { ...page.file, is_favorite: !page.file.is_favorite } } : page,
  );
}

/** Entries of the activity per page. */
const activityLimit = 25;

const activityKey = ['get-activity'] as const;

const activityQuery = ({ page, event }: ActivitySearch) =>
  queryOptions({
    queryKey: [...activityKey, page, event],
    queryFn: ({ signal }) =>
      client.getActivity({ query: { page, limit: activityLimit, ...(event && { event }) }, signal }),
    // Keeps the current entries on screen while another page loads.
    placeholderData: keepPreviousData,
  });

/** Events that affected the account's files without an action of the owner, newest first. */
export const useActivity = (wanted: ActivitySearch) => useQuery(activityQuery(wanted));

const evictionPreviewQuery = queryOptions({
  queryKey: ['get-eviction-preview'],
  queryFn: ({ signal }) => client.getEvictionPreview({ query: {}, signal }),
  // Users agree to what they see, so they must see current data.
  gcTime: 0,
});

/** What Continuous Uploading would delete for uploads of this many bytes and files. */
export const useEvictionFor = (needed: { readonly bytes: number; readonly files: number }, enabled: boolean) =>
  useQuery({
    queryKey: [...evictionPreviewQuery.queryKey, needed],
    queryFn: ({ signal }) => client.getEvictionPreview({ query: needed, signal }),
    enabled,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });

/** The files that Continuous Uploading would delete first. */
export const useEvictionPreview = () => useQuery(evictionPreviewQuery);

const inactiveFilesQuery = (days: number) =>
  queryOptions({
    queryKey: ['get-inactive-files', days],
    queryFn: ({ signal }) => client.getInactiveFiles({ query: { days }, signal }),
    gcTime: 0,
  });

/** The files that automatic deletion would delete tonight with this number of days. */
export const useInactiveFiles = (days: number) => useQuery(inactiveFilesQuery(days));

/** The account's files: the list, and what changes it. */
import type { FileList } from '@holdfast/contract/src/files.ts';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { FileListSearch } from '../lib/file-list-search.ts';
import { client } from './client.ts';
import { accountQuery } from './session.ts';

/** A page of the list, and what it was filtered by: while the next answer is on its way, that is not what is wanted. */
export interface FoundFiles extends FileList {
  readonly search: string;
}

const listKey = ['get-file-list'] as const;

const fileListQuery = (wanted: FileListSearch) =>
  queryOptions({
    queryKey: [...listKey, wanted],
    // The signal also ends a request that nobody waits for any more, such as that for half a word.
    queryFn: async ({ signal }): Promise<FoundFiles> => ({
      ...(await client.getFileList({ query: wanted, signal })),
      search: wanted.search,
    }),
    // The rows stay while another sort, page or filter is on its way.
    placeholderData: keepPreviousData,
    // A file that waits to be checked is looked at again, so that somebody who waits with it sees when it is ready.
    refetchInterval: ({ state }) => (state.data?.files.some((file) => file.is_pending_scan) ? 30_000 : false),
  });

export const useFileList = (wanted: FileListSearch) => useQuery(fileListQuery(wanted));

/** Files have come or gone: the list and the account's usage are asked for again where they are on the screen. */
export function refetchFiles(queries: QueryClient): Promise<unknown> {
  return Promise.all([
    queries.invalidateQueries({ queryKey: listKey }),
    queries.invalidateQueries({ queryKey: accountQuery.queryKey }),
  ]);
}

export function useDeleteFiles() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (files: readonly string[]) => client.deleteFiles({ body: { files: [...files] } }),
    // Also after a failure: with an answer lost on the way, the files may be gone all the same.
    onSettled: () => refetchFiles(queries),
  });
}

const favoriteKey = ['toggle-favorite'] as const;

/** The star answers at once, and goes back where the server says no. */
export function useToggleFavorite() {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: favoriteKey,
    mutationFn: (name: string) => client.toggleFavorite({ body: { file: name } }),
    onMutate: async (name) => {
      await queries.cancelQueries({ queryKey: listKey });
      flipFavorite(queries, name);
    },
    onError: (_error, name) => flipFavorite(queries, name),
    onSettled: () => {
      // A list fetched while another star is still on its way would put that one back for a moment.
      if (queries.isMutating({ mutationKey: favoriteKey }) === 1)
        return queries.invalidateQueries({ queryKey: listKey });
      return undefined;
    },
  });
}

/** One file, not a whole list put back: other stars may have changed meanwhile. */
function flipFavorite(queries: QueryClient, name: string): void {
  queries.setQueriesData<FoundFiles>({ queryKey: listKey }, (list) => {
    if (!list) return list;
    const files = list.files.map((file) => (file.name === name ? { ...file, is_favorite: !file.is_favorite } : file));
    return { ...list, files };
  });
}

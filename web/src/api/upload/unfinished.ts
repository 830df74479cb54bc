/** Uploads of the account that have not arrived in full, whatever browser began them. */
import { calls } from '@holdfast/contract/src/calls.ts';
import type { UnfinishedUpload } from '@holdfast/contract/src/unfinished-uploads.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../client/client.ts';

export const unfinishedKey = [calls.getUnfinishedUploads.path] as const;

const unfinishedQuery = queryOptions({
  queryKey: unfinishedKey,
  queryFn: async ({ signal }) => (await client.getUnfinishedUploads({ signal })).uploads,
});

export const useUnfinished = (): readonly UnfinishedUpload[] => useQuery(unfinishedQuery).data ?? [];

/** Path of the upload on the server for each file that was begun or continued in this tab. */
export const pathsOfFiles = new WeakMap<File, string>();

import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './client.ts';

const filesToGoQuery = queryOptions({
  queryKey: ['get-files-to-go'],
  queryFn: ({ signal }) => client.getFilesToGo({ signal }),
  // Who is asked to agree to it is shown what holds now.
  gcTime: 0,
});

/** The files that Continuous Uploading would delete before others. */
export const useFilesToGo = () => useQuery(filesToGoQuery);

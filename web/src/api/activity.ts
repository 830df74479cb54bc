import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './client.ts';

/** Entries on one page. */
const limit = 25;

const activityQuery = (page: number) =>
  queryOptions({
    queryKey: ['get-activity', page],
    queryFn: ({ signal }) => client.getActivity({ query: { page, limit }, signal }),
    // The entries stay while another page is on its way.
    placeholderData: keepPreviousData,
  });

/** What happened to the account's files without their owner, newest first. */
export const useActivity = (page: number) => useQuery(activityQuery(page));

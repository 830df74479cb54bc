import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './client.ts';

const serverInfoQuery = queryOptions({
  queryKey: ['server-info'],
  queryFn: ({ signal }) => fetchRegion(signal),
  staleTime: Infinity,
});

/** Region of the server that handles the request. */
export const useRegion = () => useQuery(serverInfoQuery);

async function fetchRegion(signal: AbortSignal): Promise<string> {
  const { region } = await client.serverInfo({ signal });
  if (typeof region !== 'string' || region === '') throw new CallFailed('unreadable', 200);
  return region;
}

/** Message of the speed test when the server's region is unavailable. */
export const regionProblem = (error: Error): string =>
  error instanceof CallFailed && error.problem !== 'no-response'
    ? 'Unable to determine server region'
    : 'Failed to fetch server region';

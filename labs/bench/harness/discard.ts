import { runProgram } from './children.ts';

/**
 * Downloads a file on `connections` connections at once with the lightest client available, and returns the seconds.
 */
export async function discardInParallel(url: string, size: number, connections: number): Promise<number> {
  const { output } = await runProgram('python3', [
    'labs/bench/clients/discard.py',
    url,
    String(size),
    String(connections),
  ]);
  return Number(output);
}

/** Downloads a file `times` times on one connection each, and returns the seconds of all. */
export async function discardInTurn(url: string, size: number, times: number): Promise<number> {
  let seconds = 0;
  for (let done = 0; done < times; done += 1) seconds += await discardInParallel(url, size, 1);
  return seconds;
}

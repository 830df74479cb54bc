import { runProgram } from './children.ts';

/**
 * Downloads a file on `connections` connections at once with the lightest client available, and returns the seconds.
 */
export async function discardInParallel(url: string, size: number, connections: number): Promise<number> {
  const { output } = await runProgram('python3', ['bench/clients/discard.py', url, String(size), String(connections)]);
  return Number(output);
}

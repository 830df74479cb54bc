import { runProgram } from './children.ts';

export interface Load {
  /** Complete responses. */
  readonly requests: number;
  readonly requestsPerSecond: number;
}

/**
 * Requests the URLs of one server in turn, over and over, on `connections` connections. Throws on any response except a
 * 200 with `size` bytes.
 */
export async function runWrk(
  urls: readonly [string, ...string[]],
  connections: number,
  seconds: number,
  size: number,
): Promise<Load> {
  const [url] = urls;
  // A script costs time for each request, so one URL needs none.
  const script = urls.length > 1 ? ['-s', 'labs/bench/clients/paths-in-turn.lua'] : [];
  const paths = urls.length > 1 ? ['--', ...urls.map((each) => new URL(each).pathname)] : [];
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, ...script, url, ...paths];
  const { output } = await runProgram('wrk', args);
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? Number.NaN);
  const requests = number(/(\d+) requests in/);
  const read = toBytes(/requests in [^,]+, (\S+) read/.exec(output)?.[1] ?? '');
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`wrk saw errors at ${url}:\n${output}`);
  // wrk prints the bytes read with three digits and includes headers, so this only detects bodies that are too short.
  if (!(read > requests * size * 0.99)) throw new Error(`the answers of ${url} are too short:\n${output}`);
  return { requests, requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/) };
}

function toBytes(amount: string): number {
  const [, digits, unit = ''] = /^([\d.]+)([KMG]?)B$/.exec(amount) ?? [];
  return Number(digits) * 1024 ** ' KMG'.indexOf(unit || ' ');
}

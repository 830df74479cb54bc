import { endChild, firstLine, startChild } from './children.ts';

export interface Peer extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts a plain Node solution of `labs/bench/peers` in its own process: `read-stream-server` sends the file at `path`, and
 * `syncing-server` stores uploads in the folder at `path`.
 */
export async function startPeer(name: 'read-stream-server' | 'syncing-server', path: string): Promise<Peer> {
  const child = startChild(process.execPath, [`labs/bench/peers/${name}.ts`, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await firstLine(child, /^(http:\S+)$/), [Symbol.asyncDispose]: () => endChild(child) };
}

import { endChild, firstLine, startChild } from './children.ts';

export interface Peer extends AsyncDisposable {
  readonly url: string;
}

/** Starts the plain Node solution to 'send a file' in its own process. */
export async function startReadStreamPeer(path: string): Promise<Peer> {
  const child = startChild(process.execPath, ['bench/peers/read-stream-server.ts', path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await firstLine(child, /^(http:\S+)$/), [Symbol.asyncDispose]: () => endChild(child) };
}

import { endChild, firstLine, startChild } from './children.ts';

export interface Peer extends AsyncDisposable {
  readonly url: string;
}

const programs = {
  /** Sends the file at `path`. */
  reading: 'read-stream-server.ts',
  /** Stores uploads durably in the folder at `path`. */
  syncing: 'syncing-server.ts',
  /** Stores uploads in the folder at `path`, as most people would. */
  popular: 'popular-server.mjs',
} as const;

export const popularName = 'Express and multer, which do not sync';

/** Starts another server of `labs/bench/peers` in its own process. */
export async function startPeer(name: keyof typeof programs, path: string): Promise<Peer> {
  const child = startChild(process.execPath, [`labs/bench/peers/${programs[name]}`, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await firstLine(child, /^(http:\S+)$/), [Symbol.asyncDispose]: () => endChild(child) };
}

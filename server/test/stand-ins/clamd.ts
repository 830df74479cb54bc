import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Behavior for a stream: replies after all of it, at its first bytes or on request; or never. */
export type Behavior =
  /** Acts like the real one: OK, or FOUND if the stream contains a known marker. */
  | { readonly kind: 'scans' }
  | { readonly kind: 'answers'; readonly text: string; readonly early?: boolean; readonly after?: Promise<void> }
  | { readonly kind: 'hangs' }
  | { readonly kind: 'closes'; readonly afterBytes: number }
  /** Does not even read the stream. */
  | { readonly kind: 'stops reading' };

export interface ClamdStandIn extends AsyncDisposable {
  readonly port: number;
  behavior: Behavior;
  /** Simulates AlertExceedsMax. */
  tellsWhatItSkips: boolean;
  /** Texts that it reports as malware: the marker, and those that a test adds. */
  readonly known: Set<string>;
  /** Number of streams begun, and the callback for each. */
  readonly streams: number;
  onStream: () => void;
}

export const marker = 'HOLDFAST-HARMLESS-MARKER';

/**
 * Speaks the part of clamd's protocol that a client can see, and fails on demand in ways that the real one does not.
 */
export async function startClamdStandIn(behavior: Behavior = { kind: 'scans' }): Promise<ClamdStandIn> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    serve(socket, standIn);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const standIn = {
    port: (server.address() as AddressInfo).port,
    behavior,
    tellsWhatItSkips: true,
    known: new Set([marker]),
    streams: 0,
    onStream: () => {},
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
  return standIn;
}

type Settings = Pick<ClamdStandIn, 'behavior' | 'tellsWhatItSkips' | 'known' | 'onStream'> & { streams: number };

function serve(socket: Socket, settings: Settings): void {
  let received = Buffer.alloc(0);
  let command: string | null = null;
  const now = settings.behavior;
  if (now.kind === 'stops reading') return void socket.pause();
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    const end = received.indexOf(0);
    if (command === null && end !== -1) {
      command = received.toString('latin1', 0, end);
      received = received.subarray(end + 1);
      if (command === 'zINSTREAM') {
        settings.streams += 1;
        settings.onStream();
      }
    }
    if (command === null || now.kind === 'hangs') return;
    if (now.kind === 'closes' && received.length >= now.afterBytes) return void socket.destroy();
    const answer = answerTo(command, received, settings);
    const after = now.kind === 'answers' ? now.after : undefined;
    if (answer !== null) void Promise.resolve(after).then(() => socket.end(`${answer}\0`));
  });
}

/** Returns null while the command is incomplete. */
function answerTo(command: string, received: Buffer, { behavior, tellsWhatItSkips, known }: Settings): string | null {
  if (command === 'zVERSION') return 'ClamAV 0.0.0/stand-in';
  const stream = streamIn(received);
  // The archive with which the engine tests whether clamd reports what it skips.
  if (stream?.toString('latin1', 0, 2) === '\x1f\x8b' && stream.length > 1_000)
    return tellsWhatItSkips ? 'stream: Heuristics.Limits.Exceeded.MaxRecursion FOUND' : 'stream: OK';
  if (behavior.kind === 'answers' && (behavior.early || stream)) return behavior.text;
  if (!stream || behavior.kind !== 'scans') return null;
  return [...known].some((text) => stream.includes(text)) ? 'stream: Test.Marker FOUND' : 'stream: OK';
}

/** Returns the joined chunks of a stream, once it has ended. */
function streamIn(received: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = 0; at + 4 <= received.length;) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What it does with a stream: answers, once it has all of it, at its first bytes or when asked; or never. */
export type Behaviour =
  /** As the real one: OK, or FOUND where something known is in it. */
  | { readonly kind: 'scans' }
  | { readonly kind: 'answers'; readonly text: string; readonly early?: boolean; readonly after?: Promise<void> }
  | { readonly kind: 'hangs' }
  | { readonly kind: 'closes'; readonly afterBytes: number }
  /** Does not even read. */
  | { readonly kind: 'stops reading' };

export interface ClamdStandIn extends AsyncDisposable {
  readonly port: number;
  behaviour: Behaviour;
  /** Whether AlertExceedsMax is on. */
  tellsWhatItSkips: boolean;
  /** What it takes for malware: the marker, until a test adds more. */
  readonly known: Set<string>;
  /** Streams that were begun, and who is told of each. */
  readonly streams: number;
  onStream: () => void;
}

export const marker = 'HOLDFAST-HARMLESS-MARKER';

/** Speaks as much of clamd's protocol as a client can see, and fails as the real one does not on demand. */
export async function startClamdStandIn(behaviour: Behaviour = { kind: 'scans' }): Promise<ClamdStandIn> {
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
    behaviour,
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

type Settings = Pick<ClamdStandIn, 'behaviour' | 'tellsWhatItSkips' | 'known' | 'onStream'> & { streams: number };

function serve(socket: Socket, settings: Settings): void {
  let received = Buffer.alloc(0);
  let command: string | null = null;
  const now = settings.behaviour;
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

/** Null while the command is not whole. */
function answerTo(command: string, received: Buffer, { behaviour, tellsWhatItSkips, known }: Settings): string | null {
  if (command === 'zVERSION') return 'ClamAV 0.0.0/stand-in';
  const stream = streamIn(received);
  // The archive by which clamd shows whether it tells of what it skips.
  if (stream?.toString('latin1', 0, 4) === 'PK\x03\x04' && stream.includes('a.zip') && stream.length > 10_000)
    return tellsWhatItSkips ? 'stream: Heuristics.Limits.Exceeded.MaxRecursion FOUND' : 'stream: OK';
  if (behaviour.kind === 'answers' && (behaviour.early || stream)) return behaviour.text;
  if (!stream || behaviour.kind !== 'scans') return null;
  return [...known].some((text) => stream.includes(text)) ? 'stream: Test.Marker FOUND' : 'stream: OK';
}

/** The chunks of a stream put together, when its end is there. */
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

import { startThread, type Thread } from '../thread.ts';
import { BlobsUnavailable } from './blobs.ts';

interface StreamOptions {
  readonly fd?: number;
  readonly algorithms?: readonly ('sha1' | 'sha256')[];
  readonly each?: boolean;
}

interface Reply {
  readonly slab: ArrayBuffer;
  readonly sha256: string;
  readonly digests: { readonly sha1: string; readonly sha256: string };
}

interface Paths {
  readonly tempPath: string;
  readonly path: string;
}

export type ThreadStream = ReturnType<ReturnType<typeof openWriteThreads>['stream']>;

/** A thread is started when all others are busy. When one dies, the next stream starts another. */
export function openWriteThreads(most: number, program = new URL('./write-thread.mjs', import.meta.url)) {
  const threads = new Map<Thread<Reply>, number>();
  let streams = 0;

  function start(): Thread<Reply> {
    const thread = startThread<Reply>(program, {}, (cause) => {
      threads.delete(thread);
      return new BlobsUnavailable('A thread that writes blobs has ended', cause);
    });
    threads.set(thread, 0);
    return thread;
  }

  function leastBusy(): Thread<Reply> {
    const [least] = [...threads].toSorted(([, a], [, b]) => a - b);
    return least && (least[1] === 0 || threads.size >= most) ? least[0] : start();
  }

  const count = (thread: Thread<Reply>, change: 1 | -1) => {
    const known = threads.get(thread);
    if (known !== undefined) threads.set(thread, known + change);
  };

  return {
    stream({ algorithms = ['sha256'], ...options }: StreamOptions) {
      const thread = leastBusy();
      count(thread, 1);
      const stream = { ...options, algorithms, stream: (streams += 1) };
      return {
        append: (slab: ArrayBuffer, length: number): Promise<Pick<Reply, 'slab' | 'sha256'>> =>
          thread.ask({ kind: 'append', slab, length, ...stream }, [slab]),
        digests: async () => (await thread.ask({ kind: 'digests', ...stream })).digests,
        [Symbol.dispose]() {
          count(thread, -1);
          thread.tell({ kind: 'end', ...stream });
        },
      };
    },
    /** If it fails, either path may exist. */
    async place(paths: Paths, slab: ArrayBuffer, length: number) {
      const thread = leastBusy();
      count(thread, 1);
      try {
        return await thread.ask({ kind: 'place', slab, length, ...paths }, [slab]);
      } finally {
        count(thread, -1);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...threads.keys()].map((thread) => thread.end()));
    },
  };
}

import { once } from 'node:events';

export interface Bidi extends AsyncDisposable {
  /** Sends a command and resolves with its result. Rejects with the browser's error. */
  send<T>(method: string, params: object): Promise<T>;
}

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

export async function connectBidi(address: string): Promise<Bidi> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  await once(socket, 'open');
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, result, error, message } = JSON.parse(String(data)) as Reply;
    const answered = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) answered?.resolve(result);
    else answered?.reject(new Error(`${error}: ${message}`));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser ended'));
  });
  let sent = 0;
  return {
    send<T>(method: string, params: object) {
      const answer = Promise.withResolvers<unknown>();
      waiting.set((sent += 1), answer);
      socket.send(JSON.stringify({ id: sent, method, params }));
      return answer.promise as Promise<T>;
    },
    async [Symbol.asyncDispose]() {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

/** Calls between two processes that exchange messages. */

/** One side, which calls the functions of the other. Inputs and results are JSON. */
export interface MessageCalls<Remote> {
  /** Rejects if the function does, or if the other process ends before it has replied. */
  readonly call: <Name extends keyof Remote & string>(
    name: Name,
    input: InputOf<Remote[Name]>,
  ) => Promise<ResultOf<Remote[Name]>>;
  /** Handles a message of the other process. */
  receive(message: unknown): void;
  /** The other process has ended: pending calls and later ones are rejected. */
  close(): void;
}

type InputOf<F> = F extends (input: infer Input) => unknown ? Input : never;
type ResultOf<F> = F extends (input: never) => infer Result ? Awaited<Result> : never;

/** The functions of one side, of which each may take its time. */
export type Handlers<Own> = {
  readonly [Name in keyof Own]: (input: InputOf<Own[Name]>) => ResultOf<Own[Name]> | Promise<ResultOf<Own[Name]>>;
};

/** Sends a message, and reports through `done` if it could not be sent. */
export type Send = (message: object, done: (error: Error | null) => void) => void;

interface Call {
  readonly call: string;
  readonly id: number;
  readonly input: unknown;
}

interface Reply {
  readonly reply: number;
  readonly value?: unknown;
  readonly error?: string;
}

export function openMessageCalls<Remote, Own>(send: Send, own: Handlers<Own>): MessageCalls<Remote> {
  const handlers = own as Readonly<Record<string, (input: unknown) => unknown>>;
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let isClosed = false;
  const handle = async ({ call, id, input }: Call): Promise<void> => {
    // A reply to a process that has ended has no reader.
    const reply = (said: Omit<Reply, 'reply'>) => isClosed || send({ reply: id, ...said }, () => {});
    try {
      reply({ value: await handlers[call]?.(input) });
    } catch (error) {
      reply({ error: error instanceof Error ? error.message : String(error) });
    }
  };
  const settle = ({ reply, value, error }: Reply): void => {
    const call = pending.get(reply);
    pending.delete(reply);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(error));
  };
  return {
    call(name, input) {
      const id = (lastId += 1);
      const call = Promise.withResolvers<unknown>();
      const fail = (error: Error) => {
        pending.delete(id);
        call.reject(error);
      };
      pending.set(id, call);
      if (isClosed) fail(new OtherProcessEnded());
      else send({ call: name, id, input } satisfies Call, (error) => error && fail(new OtherProcessEnded(error)));
      return call.promise as Promise<never>;
    },
    receive(message) {
      if (typeof message !== 'object' || message === null) return;
      if ('call' in message) void handle(message as Call);
      else if ('reply' in message) settle(message as Reply);
    },
    close() {
      isClosed = true;
      for (const { reject } of pending.values()) reject(new OtherProcessEnded());
      pending.clear();
    },
  };
}

export class OtherProcessEnded extends Error {
  override readonly name = 'OtherProcessEnded';

  constructor(cause?: Error) {
    super('the other process has ended', { cause });
  }
}

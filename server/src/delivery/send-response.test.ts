import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { FileResponse } from './file-response.ts';
import { type ByteSource, ClientGone, sendResponse, type Sending } from './send-response.ts';

const large = 50_000_000;

const answerOf = (length: number): FileResponse => ({
  status: 200,
  headers: ['Content-Length', String(length)],
  pieces: [{ start: 0, end: length - 1 }],
  sendsFirstByte: true,
});

/** A source that counts reads and open streams. */
function openSource(failAfter = Infinity) {
  const state = { reads: 0, open: 0 };
  const source: ByteSource = {
    async open() {
      state.open += 1;
      return {
        async read(into) {
          state.reads += 1;
          if (state.reads > failAfter) throw new Error('the disk failed');
          return into.fill(7).length;
        },
        async [Symbol.asyncDispose]() {
          state.open -= 1;
        },
      };
    },
  };
  return { source, state };
}

/** A server that responds to each request with `send`; `outcomesOf` returns how the first responses ended. */
async function listen(send: (response: ServerResponse, request: IncomingMessage) => Promise<void>) {
  const outcomes: unknown[] = [];
  let heard = () => {};
  const server = createServer((request, response) => {
    const end = (outcome: unknown) => {
      outcomes.push(outcome);
      heard();
    };
    send(response, request).then(end, end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    connect: () => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {}),
    async outcomesOf(count: number) {
      while (outcomes.length < count) await new Promise<void>((resolve) => (heard = resolve));
      return outcomes;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Grants `bytes` each time, after `waitMs`, and counts the waiting transfers. */
function paceOf(bytes: number, waitMs: () => number) {
  const pace = {
    waiting: 0,
    givenBack: 0,
    queue(_wanted: number, grant: (bytes: number) => void) {
      let waits = true;
      const leave = () => {
        if (waits) pace.waiting -= 1;
        waits = false;
        clearTimeout(timer);
      };
      const timer = setTimeout(() => {
        leave();
        grant(bytes);
      }, waitMs());
      pace.waiting += 1;
      return leave;
    },
    giveBack: (unsent: number) => void (pace.givenBack += unsent),
  };
  return pace;
}

const ask = (socket: Socket, times = 1) => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(times));
const unpaced = (source: ByteSource): Sending => ({ source, pace: null, onStart: () => {} });

test('a disconnect frees everything at once, during a write or a wait', async () => {
  for (const waitMs of [0, 3_600_000]) {
    const { source, state } = openSource();
    let chunks = 0;
    const pace = paceOf(100_000, () => ((chunks += 1) > 1 ? waitMs : 0));
    await using server = await listen((response) =>
      sendResponse(response, answerOf(large), { source, pace, onStart: () => {} }),
    );
    const socket = server.connect();
    ask(socket);
    await once(socket, 'data');
    socket.destroy();
    expect((await server.outcomesOf(1))[0]).toBeInstanceOf(ClientGone);
    expect(state.open).toBe(0);
    expect(pace.waiting).toBe(0);
    // Bytes passed to the connection count as sent, although it is unknown how many of them arrived.
    expect(pace.givenBack).toBe(0);
  }
});

test('granted bytes that were not read or not sent are returned', async () => {
  for (const [read, unsent] of [
    [async () => 60_000, 40_000],
    [() => Promise.reject(new Error('the disk failed')), 100_000],
  ] as const) {
    const source: ByteSource = { open: async () => ({ read, async [Symbol.asyncDispose]() {} }) };
    const pace = paceOf(100_000, () => 0);
    await using server = await listen((response) =>
      sendResponse(response, answerOf(60_000), { source, pace, onStart: () => {} }),
    );
    const socket = server.connect().resume();
    ask(socket);
    await server.outcomesOf(1);
    expect(pace.givenBack).toBe(unsent);
    socket.destroy();
  }
});

test('queued responses end when the connection closes', async () => {
  const { source, state } = openSource();
  await using server = await listen((response) => sendResponse(response, answerOf(large), unpaced(source)));
  const socket = server.connect();
  ask(socket, 3);
  await once(socket, 'data');
  socket.destroy();
  for (const outcome of await server.outcomesOf(3)) expect(outcome).toBeInstanceOf(ClientGone);
  expect(state.open).toBe(0);
});

test('a failing first read fails before the headers, and a failing later read after them', async () => {
  for (const [failAfter, sent] of [
    [0, false],
    [3, true],
  ] as const) {
    const { source, state } = openSource(failAfter);
    let started = false;
    let headersSent = false;
    await using server = await listen(async (response) => {
      try {
        await sendResponse(response, answerOf(large), { source, pace: null, onStart: () => (started = true) });
      } finally {
        ({ headersSent } = response);
        response.destroy();
      }
    });
    const socket = server.connect().resume();
    ask(socket);
    expect(await server.outcomesOf(1)).toEqual([new Error('the disk failed')]);
    expect([started, headersSent]).toEqual([sent, sent]);
    expect(state.open).toBe(0);
  }
});

test('many concurrent responses carry their own bytes, although they share buffers', async () => {
  const files = Array.from({ length: 20 }, () => randomBytes(1_500_000));
  await using server = await listen((response, { url = '/0' }) => {
    const bytes = files[Number(url.slice(1))] ?? Buffer.alloc(0);
    const source: ByteSource = {
      async open({ start }) {
        let at = start;
        return {
          async read(into) {
            const count = bytes.copy(into, 0, at);
            at += count;
            // Another user of this buffer would write into it now.
            await new Promise(setImmediate);
            return count;
          },
          async [Symbol.asyncDispose]() {},
        };
      },
    };
    return sendResponse(response, answerOf(bytes.length), unpaced(source));
  });
  const received = await Promise.all(
    files.map(async (_, at) => {
      const chunks: Buffer[] = [];
      const socket = server.connect().on('data', (chunk) => chunks.push(chunk));
      socket.write(`GET /${at} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await once(socket, 'close');
      const all = Buffer.concat(chunks);
      return all.subarray(all.indexOf('\r\n\r\n') + 4);
    }),
  );
  for (const [at, bytes] of files.entries()) expect(received[at]?.equals(bytes), String(at)).toBe(true);
});

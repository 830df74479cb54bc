import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { FileAnswer } from './file-answer.ts';
import { ClientGone } from './outlet.ts';
import { type ByteSource, sendAnswer, type Sending } from './send-answer.ts';

const large = 50_000_000;

const answerOf = (length: number): FileAnswer => ({
  status: 200,
  headers: ['Content-Length', String(length)],
  pieces: [{ start: 0, end: length - 1 }],
  sendsFirstByte: true,
});

/** A source that counts what it is asked for and what is open. */
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

/** A server that answers each request by `send`; `ended` hears how each answer ended. */
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

const ask = (socket: Socket, times = 1) => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(times));
const unpaced = (source: ByteSource): Sending => ({ source, pace: null, onStart: () => {} });

test('a client that takes nothing for too long is let go, with everything that was open', async () => {
  const { source, state } = openSource();
  await using server = await listen((response) => sendAnswer(response, answerOf(large), unpaced(source), 1_200));
  const socket = server.connect();
  const started = performance.now();
  ask(socket);
  const [outcome] = await server.outcomesOf(1);
  expect(outcome).toBeInstanceOf(ClientGone);
  // A socket's own timeout would need twice as long, since bytes went into the kernel at first.
  expect(performance.now() - started).toBeGreaterThan(1_150);
  expect(performance.now() - started).toBeLessThan(2_200);
  expect(state.open).toBe(0);
  expect(state.reads).toBeLessThan(large / 65_536);
  socket.destroy();
});

test('a client that takes a little now and then is not let go', async () => {
  const { source } = openSource();
  const length = 12_000_000;
  await using server = await listen((response) => sendAnswer(response, answerOf(length), unpaced(source), 400));
  const socket = server.connect();
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 5);
  });
  const started = Date.now();
  ask(socket);
  expect(await server.outcomesOf(1)).toEqual([undefined]);
  expect(Date.now() - started).toBeGreaterThan(400);
  expect(received).toBeGreaterThan(0);
  socket.destroy();
});

test('a client that waits for its turn longer than that is not let go', async () => {
  const { source } = openSource();
  let turns = 0;
  const pace = { take: () => ({ bytes: 1_000, waitMs: (turns += 1) === 2 ? 900 : 0 }), giveBack: () => {} };
  await using server = await listen((response) =>
    sendAnswer(response, answerOf(3_000), { source, pace, onStart: () => {} }, 300),
  );
  const socket = server.connect().resume();
  ask(socket);
  expect(await server.outcomesOf(1)).toEqual([undefined]);
  expect(turns).toBe(3);
});

test('a client that goes away frees everything at once, in the middle of a write or of a wait', async () => {
  for (const waitMs of [0, 3_600_000]) {
    const { source, state } = openSource();
    let chunks = 0;
    let owed = 0;
    const pace = {
      take: (wanted: number) => ({ bytes: wanted, waitMs: (chunks += 1) > 1 ? waitMs : 0 }),
      giveBack: (bytes: number) => void (owed += bytes),
    };
    await using server = await listen((response) =>
      sendAnswer(response, answerOf(large), { source, pace, onStart: () => {} }),
    );
    const socket = server.connect();
    ask(socket);
    await once(socket, 'data');
    socket.destroy();
    expect((await server.outcomesOf(1))[0]).toBeInstanceOf(ClientGone);
    expect(state.open).toBe(0);
    // What waited for its turn and did not go is not owed by the next download.
    expect(owed > 0).toBe(waitMs > 0);
  }
});

test('an answer that waits behind another ends too when the connection does', async () => {
  const { source, state } = openSource();
  await using server = await listen((response) => sendAnswer(response, answerOf(large), unpaced(source)));
  const socket = server.connect();
  ask(socket, 3);
  await once(socket, 'data');
  socket.destroy();
  for (const outcome of await server.outcomesOf(3)) expect(outcome).toBeInstanceOf(ClientGone);
  expect(state.open).toBe(0);
});

test('a source that fails at once fails before the headers, and one that fails later after them', async () => {
  for (const [failAfter, sent] of [
    [0, false],
    [3, true],
  ] as const) {
    const { source, state } = openSource(failAfter);
    let started = false;
    let headersSent = false;
    await using server = await listen(async (response) => {
      try {
        await sendAnswer(response, answerOf(large), { source, pace: null, onStart: () => (started = true) });
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

test('many answers at once carry their own bytes, though they share buffers', async () => {
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
            // Whoever else had this buffer would write into it now.
            await new Promise(setImmediate);
            return count;
          },
          async [Symbol.asyncDispose]() {},
        };
      },
    };
    return sendAnswer(response, answerOf(bytes.length), unpaced(source));
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

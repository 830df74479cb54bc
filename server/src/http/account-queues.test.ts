import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createAccountQueues } from './account-queues.ts';

/** A request on a connection of its own, which ends when it is silent for a minute. */
function openRequest() {
  const socket = Object.assign(new EventEmitter(), {
    timeout: 60_000,
    destroyed: false,
    setTimeout: (ms: number) => void (socket.timeout = ms),
  });
  return { socket, incoming: { socket } as unknown as IncomingMessage };
}

test('100 uploads wait in silence behind four, leave with their client, and one more is refused', async () => {
  const inTurn = createAccountQueues();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const requests = Array.from({ length: 105 }, openRequest);
  const upload = (at: number) =>
    inTurn(
      'ada',
      endpoints.upload,
      () => {
        begun.push(at);
        return new Promise<void>((resolve) => ends.push(resolve));
      },
      (requests[at] ?? openRequest()).incoming,
    );
  const uploads = requests.slice(0, 104).map((_, at) => upload(at));
  const silence = () => requests.map(({ socket }) => socket.timeout);
  await expect(upload(104)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  expect(silence()).toEqual([...Array(4).fill(60_000), ...Array(100).fill(0), 60_000]);
  requests[4]?.socket.emit('close');
  await expect(uploads[4]).rejects.toMatchObject({ code: 'UPLOAD_INTERRUPTED' });
  ends[0]?.();
  await uploads[0];
  expect(begun).toEqual([0, 1, 2, 3, 5]);
  expect(silence().slice(4, 7)).toEqual([60_000, 60_000, 0]);
  expect(await inTurn('ben', endpoints.upload, async () => 'another account', openRequest().incoming)).toBe(
    'another account',
  );
});

test('an upload of a browser is refused after its longest wait, while its client still waits', async () => {
  const wait = new AbortController();
  const inTurn = createAccountQueues(() => wait.signal);
  const { socket, incoming } = openRequest();
  for (let turn = 0; turn < 4; turn += 1) void inTurn('ada', endpoints.upload, () => new Promise(() => {}), incoming);
  const upload = inTurn('ada', endpoints.upload, async () => 'stored', incoming, true);
  wait.abort();
  await expect(upload).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  expect(socket.timeout).toBe(60_000);
});

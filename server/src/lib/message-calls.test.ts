import { expect, test } from 'vitest';
import { type MessageCalls, openMessageCalls, OtherProcessEnded, type Send } from './message-calls.ts';

interface Adder {
  add(input: { readonly a: number; readonly b: number }): number;
  fail(input: string): null;
}

/** Two sides of one channel, whose messages pass as JSON. */
function connected() {
  const sides: { adder?: MessageCalls<object>; caller?: MessageCalls<Adder> } = {};
  const to =
    (name: keyof typeof sides): Send =>
    (message, done) => {
      queueMicrotask(() => sides[name]?.receive(JSON.parse(JSON.stringify(message))));
      done(null);
    };
  sides.adder = openMessageCalls<object, Adder>(to('caller'), {
    add: async ({ a, b }) => a + b,
    fail(reason) {
      throw new Error(reason);
    },
  });
  const caller = openMessageCalls<Adder, object>(to('adder'), {});
  sides.caller = caller;
  return caller;
}

test('each call gets its own result', async () => {
  const caller = connected();
  const sums = await Promise.all([1, 2, 3].map((a) => caller.call('add', { a, b: 10 })));
  expect(sums).toEqual([11, 12, 13]);
});

test('a call whose function fails is rejected with its message', async () => {
  await expect(connected().call('fail', 'no more kelp')).rejects.toThrow('no more kelp');
});

test('calls to a process that has ended are rejected, also pending ones', async () => {
  const caller = openMessageCalls<Adder, object>((_message, done) => done(null), {});
  const pending = caller.call('add', { a: 1, b: 2 });
  caller.close();
  await expect(pending).rejects.toThrow(OtherProcessEnded);
  await expect(caller.call('add', { a: 1, b: 2 })).rejects.toThrow(OtherProcessEnded);
});

test('a call that cannot be sent is rejected', async () => {
  const caller = openMessageCalls<Adder, object>((_message, done) => done(new Error('EPIPE')), {});
  await expect(caller.call('add', { a: 1, b: 2 })).rejects.toThrow(OtherProcessEnded);
});

test('other messages are ignored', () => {
  for (const message of [null, 'kelp', 7, {}, { reply: 99, value: 1 }])
    expect(() => connected().receive(message)).not.toThrow();
});

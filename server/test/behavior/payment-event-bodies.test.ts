/** Strangers can send to the address for payment events, so little of it is read before the signature is checked. */
import { connect, type Socket } from 'node:net';
import { paymentEventsPath } from '@holdfast/contract/src/plans.ts';
import { startStripe } from '@holdfast/test-support/stand-ins/stripe.ts';
import { expect } from 'vitest';
import { openShop, shopTest as test } from '../harness/shop.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const signature = (time = Date.now() / 1_000) => `t=${Math.floor(time)},v1=${'a'.repeat(64)}`;
const wellFormed = `Stripe-Signature: ${signature()}`;

interface Sender {
  readonly socket: Socket;
  /** The first line and the headers of the response. */
  readonly answer: Promise<string>;
}

/** Sends the head of an event, and the given start of its body. */
function begin({ port }: TestServer, { headers = [wellFormed], length = 1_000, sent = 'x' } = {}): Sender {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(
    [`POST ${paymentEventsPath} HTTP/1.1`, 'Host: localhost', `Content-Length: ${length}`, ...headers, '', sent].join(
      '\r\n',
    ),
  );
  const answer = new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(String(data)));
  });
  return { socket, answer };
}

async function statusOf({ socket, answer }: Sender): Promise<number> {
  const status = Number((await answer).slice(9, 12));
  socket.destroy();
  return status;
}

test('without payments there is no address for events', async () => {
  await using server = await startServer();
  expect(await statusOf(begin(server))).toBe(404);
});

test.each([
  ['no signature', []],
  ['an empty signature', ['Stripe-Signature:']],
  ['a signature that is no digest', ['Stripe-Signature: t=1,v1=abc']],
  ['two signatures', [wellFormed, wellFormed]],
  ['an old signature', [`Stripe-Signature: ${signature(Date.now() / 1_000 - 600)}`]],
])('with %s an event is refused before its body is read', async (_, headers) => {
  await using shop = await openShop();
  const sender = begin(shop.server, { headers, sent: '' });
  expect(await sender.answer).toMatch(/^HTTP\/1\.1 400 .*"INVALID_INPUT"/s);
  sender.socket.destroy();
});

test('a body of more than 256 KB is refused before it is read', async ({ shop }) => {
  expect(await statusOf(begin(shop.server, { length: 256 * 1024 + 1, sent: '' }))).toBe(413);
  const body = new Blob(['x'.repeat(256 * 1024 + 1)]).stream();
  const headers = { 'Stripe-Signature': signature() };
  const chunked = await fetch(shop.eventsUrl, { method: 'POST', headers, body, duplex: 'half' });
  expect(chunked.status).toBe(413);
});

test('another method is refused', async ({ shop }) => {
  const read = await fetch(shop.eventsUrl);
  expect([read.status, read.headers.get('Allow')]).toEqual([405, 'POST']);
});

/** `TRUST_PROXY` names this machine. */
const from = (address: string) => [wellFormed, `X-Forwarded-For: ${address}`];

test('an event gets through while bodies from many addresses stay slow, of which the oldest are ended', async () => {
  await using shop = await openShop({ TRUST_PROXY: '127.0.0.1' });
  let ended = 0;
  const senders = Array.from({ length: 70 }, (_, at) => {
    const sender = begin(shop.server, { headers: from(`192.0.2.${at % 20}`) });
    sender.socket.once('close', () => (ended += 1));
    return sender;
  });
  await expect.poll(() => ended).toBe(6);
  for (let count = 0; count < 3; count += 1)
    expect(await shop.stripe.deliver(shop.eventsUrl, { id: 'evt_a', type: 'any', body: anyEvent })).toBe(200);
  await expect.poll(() => ended).toBe(7);
  const slow = senders.findLast(({ socket }) => !socket.destroyed);
  slow?.socket.write('x'.repeat(999));
  expect(await slow?.answer).toMatch(/^HTTP\/1\.1 400 /);
  for (const { socket } of senders) socket.destroy();
  expect(shop.server.log.filter((line) => line.includes('"level":50'))).toEqual([]);
});

const anyEvent = JSON.stringify({ id: 'evt_a', type: 'any', data: { object: {} } });

test('an address that sends unsigned events is limited', async () => {
  await using stripe = await startStripe();
  await using server = await startServer(stripe.environment, { limits: 'real' });
  const forged = async () => statusOf(begin(server, { length: 2, sent: '{}' }));
  const statuses = [];
  for (let count = 0; count < 122; count += 1) statuses.push(await forged());
  expect(statuses.indexOf(429)).toBe(120);
  expect(new Set(statuses.slice(0, 120))).toEqual(new Set([400]));
});

test('a burst of signed events is not limited', async () => {
  await using stripe = await startStripe();
  await using server = await startServer(stripe.environment, { limits: 'real' });
  const statuses = new Set<number>();
  for (let round = 0; round < 4; round += 1) {
    const burst = Array.from({ length: 50 }, () =>
      stripe.deliver(server.url + paymentEventsPath, { id: 'evt_a', type: 'any', body: anyEvent }),
    );
    for (const status of await Promise.all(burst)) statuses.add(status);
  }
  expect([...statuses]).toEqual([200]);
});

import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { parseSendQueues, peerKey, readSendQueues } from './send-queues.ts';

test.each([
  ['127.0.0.1', 443, '0100007F:01BB'],
  ['192.168.10.20', 65_535, '140AA8C0:FFFF'],
  ['::1', 8080, '00000000000000000000000001000000:1F90'],
  ['::ffff:10.1.2.3', 1, '0000000000000000FFFF00000302010A:0001'],
  ['2001:db8::1:0:ff', 80, 'B80D012000000000010000 00FF000000:0050'.replace(' ', '')],
  ['fe80::1%eth0', 80, '000080FE000000000000000001000000:0050'],
  ['1:2:3:4:5:6:7:8', 80, '0200010004000300060005000800 0700:0050'.replace(' ', '')],
])('the kernel lists %s, port %i, as %s', (address, port, key) => {
  expect(peerKey(address, port)).toBe(key);
});

test('only connections of the port are read, in both tables', () => {
  const table = `
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:0BB8 0100007F:9C41 01 0000FF10:00000000 01:00000014 00000000     0        0 2 2 0 20 4 30 10 -1
   2: 0100007F:9C41 0100007F:0BB8 01 00000007:00000000 00:00000000 00000000     0        0 3 1 0 20 4 30 10 -1
   0: 00000000000000000000000001000000:0BB8 00000000000000000000000001000000:9C42 04 00000002:00000000 00:00000000`;
  const queues = parseSendQueues(table, 3_000);
  expect(queues.get('0100007F:9C41')).toBe(65_296);
  expect(queues.get('00000000000000000000000001000000:9C42')).toBe(2);
  expect(queues.size).toBe(3);
});

test.skipIf(process.platform !== 'linux')(
  'the queue of a client that does not read is found, over IPv4 and IPv6',
  async () => {
    for (const host of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      const server = createServer().listen(0, host);
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const client = connect(port, host.replace('::ffff:', '')).pause();
      const [socket] = (await once(server, 'connection')) as [Socket];
      socket.write(Buffer.alloc(50_000_000));
      const { remoteAddress = '', remotePort = 0 } = socket;
      await expect
        .poll(async () => (await readSendQueues(port))?.get(peerKey(remoteAddress, remotePort)))
        .toBeGreaterThan(10_000);
      client.destroy();
      socket.destroy();
      server.close();
    }
  },
);

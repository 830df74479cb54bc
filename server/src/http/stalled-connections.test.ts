import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { endStalledConnections } from './stalled-connections.ts';

test('a client that stops reading gets a reset', async () => {
  const server = createServer((_request, response) => void response.end(Buffer.alloc(40_000_000)));
  endStalledConnections(server, 300);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'timeout');
  const end = once(client, 'end');
  client.resume();
  await expect(end).rejects.toMatchObject({ code: 'ECONNRESET' });
  server.close();
});

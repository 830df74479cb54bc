/** The table of public delivery, through the nginx of docs/installation.md. */
import { describe } from 'vitest';
import type { Front } from '../delivery/front.ts';
import { describeDelivery } from '../delivery/suite.ts';
import { startServer } from '../harness/start-server.ts';
import { fileHost } from './proxy-in-front.ts';
import { settings, startNginx } from './start-nginx.ts';

async function openThroughNginx(environment: Readonly<Record<string, string>>): Promise<Front> {
  const opened = new AsyncDisposableStack();
  const server = opened.use(await startServer(environment));
  const nginx = opened.use(await startNginx(server));
  return {
    server,
    connect: () => nginx.connect(fileHost),
    host: fileHost,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** nginx rejects repeated lines of a header that it knows as a single one, whatever the configuration says. */
const refused = new Set(['If-None-Match in two lines']);

describe('nginx sends the bytes', () => {
  describeDelivery(() => openThroughNginx({ ...settings, ACCEL: 'nginx' }), refused);
});

describe('nginx proxies the bytes', () => {
  describeDelivery(() => openThroughNginx(settings), refused);
});

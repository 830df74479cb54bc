import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type ReadEmail, readEml } from './read-eml.ts';

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly arrived: readonly ReadEmail[];
  /** Resolves with the next email that it accepts. */
  nextEmail(): Promise<ReadEmail>;
  /** Stops the server, like a machine that is switched off: its port refuses connections. */
  stop(): Promise<void>;
  /** Starts it again on the same port, with the emails it had accepted. */
  start(): Promise<void>;
}

/** A real SMTP server on loopback. Options missing in `behavior` default to those of an open relay without TLS. */
export async function startMailServer(behavior: SMTPServerOptions = {}): Promise<MailServer> {
  const arrived: ReadEmail[] = [];
  const waiting: ((email: ReadEmail) => void)[] = [];
  const open = () => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      closeTimeout: 100,
      onData(stream, _session, done) {
        let source = '';
        stream.setEncoding('latin1').on('data', (chunk: string) => (source += chunk));
        stream.on('end', () => {
          const email = readEml(source);
          arrived.push(email);
          for (const tell of waiting.splice(0)) tell(email);
          done();
        });
      },
      ...behavior,
    });
    // Some tests hang up in the middle of a connection.
    server.on('error', () => {});
    return server;
  };
  let server = open();
  const listen = async (port: number) => {
    const listener = server.listen(port, '127.0.0.1');
    if (!listener.listening) await once(listener, 'listening');
    return (listener.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    port,
    arrived,
    nextEmail: () => new Promise((resolve) => waiting.push(resolve)),
    stop,
    async start() {
      server = open();
      await listen(port);
    },
    [Symbol.asyncDispose]: stop,
  };
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type ReadLetter, readEml } from './read-eml.ts';

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** What it has taken, in the order in which it came. */
  readonly arrived: readonly ReadLetter[];
  /** Resolves with the next letter that it takes. */
  nextLetter(): Promise<ReadLetter>;
  /** Gone, as a machine that is switched off: its port refuses. */
  stop(): Promise<void>;
  /** Back on the same port, with what it had taken. */
  start(): Promise<void>;
}

/** A real SMTP server on loopback. What `behaviour` leaves out, an open relay without TLS does. */
export async function startMailServer(behaviour: SMTPServerOptions = {}): Promise<MailServer> {
  const arrived: ReadLetter[] = [];
  const waiting: ((letter: ReadLetter) => void)[] = [];
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
          const letter = readEml(source);
          arrived.push(letter);
          for (const tell of waiting.splice(0)) tell(letter);
          done();
        });
      },
      ...behaviour,
    });
    // A client that hangs up in the middle is part of what is tested.
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
    nextLetter: () => new Promise((resolve) => waiting.push(resolve)),
    stop,
    async start() {
      server = open();
      await listen(port);
    },
    [Symbol.asyncDispose]: stop,
  };
}

import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startMailServer } from '../../../test/harness/mail-server.ts';
import { email, mailConformance, type MailEngine } from './conformance.ts';
import { EmailRefused } from './mail.ts';
import { openSmtp, type SmtpOptions } from './smtp.ts';

const from = { name: 'Holdfast', address: 'post@example.com' };
const local = { host: '127.0.0.1', secure: false, credentials: null, ca: null, from };
const credentials = { user: 'ada', password: 'hunter2' };

const openEngine =
  (behavior: SMTPServerOptions = {}, options: Partial<SmtpOptions> = {}) =>
  async (): Promise<MailEngine> => {
    const server = await startMailServer(behavior);
    const mail = openSmtp({ ...local, ...options, port: server.port });
    return {
      mail,
      arrived: async () => [...server.arrived],
      async [Symbol.asyncDispose]() {
        await mail[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  };

mailConformance(openEngine());

const refusal = (responseCode: number, message = 'No.') => Object.assign(new Error(message), { responseCode });

test.each<[string, boolean, SMTPServerOptions]>([
  ['a recipient that does not exist', true, { onRcptTo: (_to, _session, done) => done(refusal(550)) }],
  [
    'a message that is not wanted',
    true,
    { onData: (data, _session, done) => data.resume().on('end', () => done(refusal(554))) },
  ],
  ['a recipient who is asked for too often', false, { onRcptTo: (_to, _session, done) => done(refusal(450)) }],
  ['a full disk', false, { onData: (data, _session, done) => data.resume().on('end', () => done(refusal(452))) }],
  ['a sender that is not known', false, { onMailFrom: (_from, _session, done) => done(refusal(553)) }],
  ['a server that takes nothing now', false, { onConnect: (_session, done) => done(refusal(554)) }],
  [
    'a wrong password',
    false,
    { authOptional: false, allowInsecureAuth: true, onAuth: (_auth, _session, done) => done(refusal(535)) },
  ],
])('%s: the refusal is permanent: %s', async (_what, forGood, behavior) => {
  await using engine = await openEngine(behavior, 'onAuth' in behavior ? { credentials } : {})();
  const sent = engine.mail.send(email, 'one');
  await expect(sent).rejects.toThrow();
  const error: unknown = await sent.catch((thrown: unknown) => thrown);
  expect(error instanceof EmailRefused).toBe(forGood);
  expect(String(error)).not.toContain('hunter2');
});

test('on this machine the client signs in without TLS and with a self-signed certificate', async () => {
  const names: (string | undefined)[] = [];
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, session, done) => {
    names.push(`${username} ${password} ${session.secure}`);
    done(null, { user: username });
  };
  for (const behavior of [{ allowInsecureAuth: true }, { disabledCommands: [] }]) {
    await using engine = await openEngine({ authOptional: false, onAuth, ...behavior }, { credentials })();
    await engine.mail.send(email, 'one');
    expect(await engine.arrived()).toHaveLength(1);
  }
  expect(names).toEqual(['ada hunter2 false', 'ada hunter2 true']);
});

/** An address of this machine that does not count as loopback. */
const elsewhere = '::ffff:127.0.0.1';

test('on another machine without a password, neither its certificate nor its TLS has to work', async () => {
  await using engine = await openEngine({ disabledCommands: [] }, { host: elsewhere })();
  await engine.mail.send(email, 'one');
  await using server = await startMailServer({ disabledCommands: [] });
  // It answers the STARTTLS that it offers with 500.
  const relay = createServer((socket) => {
    const onward = connect(server.port, '127.0.0.1');
    socket.on('data', (sent) => onward.write(String(sent).replace(/^STARTTLS/, 'NONE')));
    onward.pipe(socket);
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  await using mail = openSmtp({ ...local, host: elsewhere, port: (relay.address() as AddressInfo).port });
  await mail.send(email, 'one');
  relay.close();
  expect([(await engine.arrived()).length, server.arrived.length]).toEqual([1, 1]);
});

test.each([
  [false, /certificate.*\. MAIL_CA_FILE names a file with its certificate/],
  [true, /^the server does not begin with TLS\. .*smtp:\/\//],
])('an insecure connection fails with what to set, also in a check: TLS from the start: %s', async (secure, said) => {
  await using engine = await openEngine({ disabledCommands: [] }, { host: elsewhere, credentials, secure })();
  await expect(engine.mail.send(email, 'one')).rejects.toThrow(said);
  await expect(engine.mail.check?.()).rejects.toThrow(said);
});

test('a check signs in and sends nothing', async () => {
  const names: (string | undefined)[] = [];
  const onAuth: SMTPServerOptions['onAuth'] = ({ username }, _session, done) => {
    names.push(username);
    done(null, { user: username });
  };
  await using engine = await openEngine({ authOptional: false, allowInsecureAuth: true, onAuth }, { credentials })();
  await engine.mail.check?.();
  expect([names, await engine.arrived()]).toEqual([['ada'], []]);
});

test('on another machine a password is not sent without TLS, nor to a self-signed certificate', async () => {
  const asked: string[] = [];
  const onAuth: SMTPServerOptions['onAuth'] = ({ username = '' }, _session, done) => {
    asked.push(username);
    done(null, { user: username });
  };
  for (const disabledCommands of [['STARTTLS'], []]) {
    const behavior = { disabledCommands, authOptional: true, allowInsecureAuth: true, onAuth };
    await using engine = await openEngine(behavior, { host: elsewhere, credentials })();
    const said =
      disabledCommands.length > 0 ? /^the mail server offers no TLS.+ MAIL_URL has a password: use smtps:/ : 'cert';
    await expect(engine.mail.send(email, 'one')).rejects.toThrow(said);
    expect(await engine.arrived()).toEqual([]);
  }
  expect(asked).toEqual([]);
});

test('a mail server that waits for TLS is silent, and the sentence names smtps://', async () => {
  const silent = createServer();
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
    silent.close();
  });
  const connected = new Promise<void>((resolve) => {
    const look = (message: unknown) => {
      unsubscribe('net.client.socket', look);
      (message as { socket: Socket }).socket.once('connect', () => setImmediate(resolve));
    };
    subscribe('net.client.socket', look);
  });
  await using mail = openSmtp({ ...local, port: (silent.address() as AddressInfo).port });
  const checking = mail.check?.().catch((error: unknown) => error);
  await connected;
  vi.advanceTimersByTime(10_000);
  expect(String(await checking)).toMatch(/Greeting never received\. .+ use smtps:\/\/$/);
});

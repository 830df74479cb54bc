import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { expect, test } from 'vitest';
import { startMailServer } from '../../../test/harness/mail-server.ts';
import { letter, mailConformance, type MailEngine } from './conformance.ts';
import { LetterRefused } from './mail.ts';
import { openSmtp, type SmtpOptions } from './smtp.ts';

const from = { name: 'Holdfast', address: 'post@example.com' };
const local = { host: '127.0.0.1', secure: false, credentials: null, from };
const credentials = { user: 'ada', password: 'hunter2' };

const openEngine =
  (behaviour: SMTPServerOptions = {}, options: Partial<SmtpOptions> = {}) =>
  async (): Promise<MailEngine> => {
    const server = await startMailServer(behaviour);
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
])('%s: that it is refused for good is %s', async (_what, forGood, behaviour) => {
  await using engine = await openEngine(behaviour, 'onAuth' in behaviour ? { credentials } : {})();
  const sent = engine.mail.send(letter, 'one');
  await expect(sent).rejects.toThrow();
  const error: unknown = await sent.catch((thrown: unknown) => thrown);
  expect(error instanceof LetterRefused).toBe(forGood);
  expect(String(error)).not.toContain('hunter2');
});

test('it signs in on this machine also without TLS, and with a certificate that nobody signed', async () => {
  const names: (string | undefined)[] = [];
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, session, done) => {
    names.push(`${username} ${password} ${session.secure}`);
    done(null, { user: username });
  };
  for (const behaviour of [{ allowInsecureAuth: true }, { disabledCommands: [] }]) {
    await using engine = await openEngine({ authOptional: false, onAuth, ...behaviour }, { credentials })();
    await engine.mail.send(letter, 'one');
    expect(await engine.arrived()).toHaveLength(1);
  }
  expect(names).toEqual(['ada hunter2 false', 'ada hunter2 true']);
});

test('people are reached by a mail server', async () => {
  await using engine = await openEngine()();
  expect(engine.mail.reachesPeople).toBe(true);
});

test('TLS from the first byte', async () => {
  await using engine = await openEngine({ secure: true }, { secure: true })();
  await engine.mail.send(letter, 'one');
  expect(await engine.arrived()).toHaveLength(1);
});

test('elsewhere a password is not sent without TLS, nor to a certificate that nobody signed', async () => {
  const asked: string[] = [];
  const onAuth: SMTPServerOptions['onAuth'] = ({ username = '' }, _session, done) => {
    asked.push(username);
    done(null, { user: username });
  };
  // Another name for this machine that is not taken for it.
  const elsewhere = { credentials, host: '::ffff:127.0.0.1' };
  for (const disabledCommands of [['STARTTLS'], []]) {
    const behaviour = { disabledCommands, authOptional: true, allowInsecureAuth: true, onAuth };
    await using engine = await openEngine(behaviour, elsewhere)();
    await expect(engine.mail.send(letter, 'one')).rejects.toThrow(/TLS|certificate/);
    expect(await engine.arrived()).toEqual([]);
  }
  expect(asked).toEqual([]);
});

test('a server that is not there or hangs up is no refusal', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const mail = openSmtp({ ...local, port });
  await expect(mail.send(letter, 'one')).rejects.not.toBeInstanceOf(LetterRefused);
  server.close();
  await once(server, 'close');
  await expect(mail.send(letter, 'one')).rejects.not.toBeInstanceOf(LetterRefused);
});

/** PostgreSQL and a mail server with certificates that no public authority has signed. */
import { chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@holdfast/test-support/start-postgres.ts';
import { expect, onTestFinished, test } from 'vitest';
import { signUp } from '../harness/sign-ups.ts';
import { readConfig } from '../../src/config/config.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { startServer } from '../harness/start-server.ts';
import { openPostgres } from '../../src/storage/db/postgres.ts';
import { makeCertificate } from './certificate.ts';

async function certificateFor(alternative: string) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-certificate-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await chmod(folder, 0o755);
  const file = await makeCertificate(folder, [alternative]);
  return { file, key: join(folder, 'privkey.pem') };
}

const advice = '. For TLS, end the URL in ?sslmode=verify-full; DATABASE_CA_FILE, or';

test('PostgreSQL serves with its certificate in a setting or the URL, and otherwise the start says at once what to set', async () => {
  const { file, key } = await certificateFor('DNS:localhost');
  // PostgreSQL never runs as root.
  if (process.getuid?.() === 0) await chown(key, 65_534, 65_534);
  await using withTls = await startPostgres(['ssl=on', `ssl_cert_file=${file}`, `ssl_key_file=${key}`]);
  // How a server without TLS answers a request for it (PostgreSQL, 54.2.11).
  const without = createServer((socket) => void socket.once('data', () => socket.end('N')));
  await once(without.listen(0, 'localhost'), 'listening');
  const open = async (port: number | string, options: string, host = 'localhost') => {
    await openUrl(`postgres://holdfast@${host}:${port}/postgres?${options}`);
  };
  const openUrl = async (url: string) => (await openPostgres(url, { warn() {} })).destroy();
  const { port } = new URL(withTls.url);
  const verified = `sslmode=verify-full&sslrootcert=${file}`;
  await open(port, verified);
  for (const options of ['', '?sslmode=verify-full', '?application_name=files']) {
    const DATABASE_URL = `postgres://holdfast@localhost:${port}/postgres${options}`;
    const { database } = readConfig({ DATABASE_URL, DATABASE_CA_FILE: file });
    await openUrl(database.engine === 'postgres' ? database.url : '');
  }
  await expect(open(port, 'sslmode=verify-full')).rejects.toThrow(`self-signed certificate${advice}`);
  await expect(open(port, verified, '127.0.0.1')).rejects.toThrow(/altnames: .+\. For TLS, end the URL in/);
  const { port: other } = without.address() as AddressInfo;
  await expect(open(other, verified)).rejects.toThrow(`The server does not support SSL connections${advice}`);
  without.close();
});

test('a mail server gets a password if its certificate is in the file that MAIL_CA_FILE names', async () => {
  const { file, key } = await certificateFor('IP:0.0.0.0');
  await using mailServer = await startMailServer({
    disabledCommands: [],
    cert: await readFile(file),
    key: await readFile(key),
    onAuth: ({ username, password }, _session, done) => done(null, { user: `${username} ${password}` }),
  });
  // Not one of the addresses of this machine whose certificates are not verified.
  const MAIL_URL = `smtp://ada:hunter2@0.0.0.0:${mailServer.port}`;
  await using server = await startServer({ MAIL_URL, MAIL_CA_FILE: file });
  await signUp(server, 'ada@example.com');
  await server.emailWorker.flush();
  expect(mailServer.arrived).toHaveLength(1);
  await using other = await startServer({ MAIL_URL });
  await expect(other.context.mail.check?.()).rejects.toThrow('self-signed certificate. MAIL_CA_FILE names');
});

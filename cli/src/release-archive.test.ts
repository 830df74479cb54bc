import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { newestVersion, requireNewer, verifyArchive } from './release-archive.ts';

test.each([
  ['1.0.1', '1.0.0'],
  ['1.10.0', '1.9.9'],
])('%s is newer than %s', (version, own) => {
  requireNewer(version, own);
});

test.each([
  ['1.0.0', '1.0.0', 'The archive has version 1.0.0, and 1.0.0 is installed'],
  ['1.9.9', '1.10.0', 'The archive has version 1.9.9'],
  ['2.0.0', '1.10.0', '2.0.0 is a new major version'],
  ['1.1.0-rc.1', '1.0.0', "'1.1.0-rc.1' is not the version of a release"],
  ['', '1.0.0', "'' is not the version of a release"],
])('%j is refused after %s', (version, own, sentence) => {
  expect(() => requireNewer(version, own)).toThrow(sentence);
});

const folder = mkdtempSync(join(tmpdir(), 'holdfast-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('an archive is verified by SHA256SUMS beside it, or by a digest', async () => {
  const archive = join(folder, 'holdfast-1.1.0-linux-x64.tar.gz');
  const writeSums = (text: string) => writeFileSync(join(folder, 'SHA256SUMS'), text);
  writeFileSync(archive, 'an archive');
  const digest = createHash('sha256').update('an archive').digest('hex');
  await expect(verifyArchive(archive)).rejects.toThrow(/^There is no .+SHA256SUMS that names the archive/);
  await verifyArchive(archive, digest.toUpperCase());
  writeSums(`${'0'.repeat(64)}  other.tar.gz\n${digest}  holdfast-1.1.0-linux-x64.tar.gz\n`);
  await verifyArchive(archive);
  await expect(verifyArchive(archive, '0'.repeat(64))).rejects.toThrow(`its SHA-256 is ${digest} instead of 000`);
  writeSums(`${'0'.repeat(64)} *holdfast-1.1.0-linux-x64.tar.gz\n`);
  await expect(verifyArchive(archive)).rejects.toThrow('is damaged, or another file');
  writeSums(`${digest}  other.tar.gz\n`);
  await expect(verifyArchive(archive)).rejects.toThrow('There is no');
});

const sums = (...versions: readonly string[]) =>
  versions.map((version) => `${'0'.repeat(64)}  holdfast-${version}-linux-x64.tar.gz\n`).join('');

test('the newest version is read from the SHA256SUMS of the operator, and compared as an update does', async () => {
  let answer: [status: number, text: string] = [200, ''];
  const requests: (readonly [unknown, unknown])[] = [];
  const server = createServer((request, response) => {
    requests.push([request.method, request.headers['content-length']]);
    response.writeHead(answer[0]).end(answer[1]);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/SHA256SUMS`;
  const read = (status: number, text: string) => {
    answer = [status, text];
    return newestVersion(url, '1.9.0');
  };
  expect(await read(200, sums('1.9.0', '1.10.0', '1.2.0'))).toEqual({ newest: '1.10.0', isNewer: true });
  expect(await read(200, sums('1.9.0'))).toEqual({ newest: '1.9.0', isNewer: false });
  await expect(read(200, '<html>')).rejects.toThrow(`${url} is not the SHA256SUMS of a release.`);
  await expect(read(200, `${'x'.repeat(200_000)}\n${sums('2.0.0')}`)).rejects.toThrow('is not the SHA256SUMS');
  await expect(read(404, sums('2.0.0'))).rejects.toThrow(`${url} could not be read: it returned 404.`);
  for (const request of requests) expect(request).toEqual(['GET', undefined]);
  server.closeAllConnections();
  server.close();
  await expect(newestVersion(url, '1.9.0')).rejects.toThrow(`${url} could not be read: `);
  await expect(newestVersion('sums', '1.9.0')).rejects.toThrow('sums could not be read');
});

test('a server that never responds is given up after ten seconds', async () => {
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  onTestFinished(() => timeout.mockRestore());
  const server = createServer(() => limit.abort(new DOMException('It took too long', 'TimeoutError')));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/SHA256SUMS`;
  await expect(newestVersion(url, '1.9.0')).rejects.toThrow(`${url} could not be read: It took too long.`);
  expect(timeout.mock.calls).toEqual([[10_000]]);
});

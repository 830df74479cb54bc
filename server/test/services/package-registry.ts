import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A registry of npm that has one package alone, that of an installed folder. It keeps its archive in `folder`. */
export async function startRegistry(installed: string, folder: string): Promise<{ url: string } & AsyncDisposable> {
  const pack = ['pack', '--silent', '--ignore-scripts', `--pack-destination=${folder}`, installed];
  const { stdout } = await promisify(execFile)('npm', pack);
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  const { name, version } = manifest;
  const server = createServer((request, response) => {
    if (request.url !== `/${name}`) return void createReadStream(join(folder, stdout.trim())).pipe(response);
    const dist = { tarball: `${url}/archive.tgz` };
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/read-setting.ts';
import { openLog } from '../../src/lib/open-log.ts';
import { type FilesContext, openFilesContext } from '../../src/mirror/context.ts';
import { filesPages } from '../../src/mirror/files-node.ts';
import { openMonitoring } from '../../src/monitoring/open-monitoring.ts';
import type { ReplicaOptions } from '../../src/mirror/replica.ts';
import { buildFilesApp } from '../../src/mirror/routes.ts';
import { originsOf } from '../../src/config/origins.ts';
import { blobSettings } from './test-blobs.ts';

export interface TestMirror extends AsyncDisposable {
  readonly url: string;
  readonly privateUrl: string;
  readonly dataDir: string;
  readonly context: FilesContext;
  readonly log: readonly string[];
}

/** A node for public links, in this process. */
export async function startMirror(
  environment: Environment,
  limits: Pick<ReplicaOptions, 'longestLag' | 'longestAlone'> = {},
): Promise<TestMirror> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(memoryFolder(), 'holdfast-mirror-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const log: string[] = [];
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', METRICS_PORT: '0', ...environment }, { filesOnly: true });
  const context = opened.use(
    await openFilesContext(config, openLog({ write: (line) => void log.push(line) }, config.region), limits),
  );
  const app = buildFilesApp(context);
  opened.defer(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const monitoring = await openMonitoring(context, filesPages(context));
  if (monitoring) opened.use(monitoring);
  const origins = originsOf(config, Number(new URL(url).port));
  // With PUBLIC_URL set, only its hosts are served, but a test connects over loopback.
  context.config.origins = { ...origins, hosts: new Map([...origins.hosts, [new URL(url).host, 'files' as const]]) };
  const closing = opened.move();
  return {
    url,
    privateUrl: monitoring?.url ?? '',
    dataDir,
    context,
    log,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** The settings with which a node in another data folder has the same storage. */
export const blobsOf = (blobs: Config['blobs']): Readonly<Record<string, string>> =>
  blobs.engine === 'disk' ? { BLOBS_URL: `file:${blobs.folder}` } : blobSettings(blobs);

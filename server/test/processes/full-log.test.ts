import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newTestPlace } from '../harness/new-place.ts';
import { startService } from '../harness/real-process.ts';

test.runIf(existsSync('/dev/full'))('a log that cannot be written neither ends nor hangs the process', async () => {
  const place = await newTestPlace();
  // The private port is a line of the log.
  await using service = await startService({ ...place, logPath: '/dev/full' }, { METRICS_PORT: '0' });
  expect((await fetch(`http://127.0.0.1:${place.port}/api/v3/session/server-info`)).status).toBe(200);
  expect(await service.stop()).toBe(0);
});

import { fsck } from '../../src/maintenance/fsck/fsck.ts';
import type { Finding } from '../../src/maintenance/fsck/inspection.ts';
import type { TestServer } from './start-server.ts';

/** Checks everything as the command does, and answers what it tells. */
export async function runFsck(
  server: TestServer,
  { repair = false, scrub = false, context = server.context } = {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await fsck({
    context,
    actor: { operator: 'ada', action: 'fsck' },
    memory: { forget() {} },
    repair,
    scrub,
    signal: new AbortController().signal,
    tell: async (finding) => void findings.push(finding),
    progress() {},
  });
  return findings;
}

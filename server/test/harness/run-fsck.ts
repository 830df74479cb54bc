import { fsck } from '../../src/operator/fsck/fsck.ts';
import type { Finding } from '../../src/operator/fsck/fsck.ts';
import type { TestServer } from './start-server.ts';

/** Checks everything as the command does, and returns its findings. */
export async function runFsck(
  server: TestServer,
  { repair = false, scrub = false, context = server.context } = {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await fsck({
    context,
    actor: { operator: 'ada', action: 'fsck' },
    repair,
    scrub,
    signal: new AbortController().signal,
    tell: async (finding) => void findings.push(finding),
    progress() {},
  });
  return findings;
}

import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { confirm } from './confirm.ts';

test.each([
  ['ctrl-C', '\u0003'],
  ['ctrl-D', '\u0004'],
])('%s at a question changes nothing', async (_, key) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  for (const stream of [input, output]) Object.assign(stream, { isTTY: true });
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as never);
  const stderr = vi.spyOn(process, 'stderr', 'get').mockReturnValue(output as never);
  try {
    const asked = confirm('This deletes all.', 'all', { yes: false, signal: new AbortController().signal });
    input.write(key);
    await expect(asked).rejects.toThrow('Nothing was changed.');
  } finally {
    stdin.mockRestore();
    stderr.mockRestore();
  }
});

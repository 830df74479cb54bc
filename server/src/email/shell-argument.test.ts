import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { shellArgument } from './shell-argument.ts';

test.each(['ada@example.com', 'ada.l+files@sub.example.com', '-', 'a-b_c@example.com'])('%s needs no quotes', (text) =>
  expect(shellArgument(text).replace('-- ', '')).toBe(text),
);

// Each is an address that the sign-up accepts.
test.each([
  'ada@example.com',
  'a`touch${IFS}x`@example.com',
  "it's@example.com",
  "''@example.com",
  'a$HOME@example.com',
  'a{b,c}@example.com',
  'a|b&c@example.com',
  'a?b*c@example.com',
  'a!b#c@example.com',
  '~@example.com',
  '--plan=house@example.com',
  "-'`$x`'@example.com",
])('a shell reads one argument: %s', async (text) => {
  const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\n' approve ${shellArgument(text)}`]);
  const [command, ...rest] = stdout.trimEnd().split('\n');
  expect([command, ...rest.filter((word) => word !== '--')]).toEqual(['approve', text]);
});

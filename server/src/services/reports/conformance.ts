import { expect, test } from 'vitest';
import type { Reports } from './reports.ts';

/** Tests the promises of every error reporting engine (see `Reports`). */
export function reportsConformance(open: () => Promise<Reports>): void {
  test.each([
    ['an error', new Error('kelp')],
    ['an error with a cause', new Error('kelp', { cause: new TypeError('reef') })],
    ['an error that is its own cause', circular()],
    ['no error at all', 'kelp'],
    ['nothing', undefined],
    ['what cannot be read', unreadable()],
  ])('%s is taken without a word', async (_name, error) => {
    const reports = await open();
    expect(reports.report(error, 'test')).toBeUndefined();
    await reports[Symbol.asyncDispose]();
  });

  test('a report after the end is dropped', async () => {
    const reports = await open();
    await reports[Symbol.asyncDispose]();
    expect(reports.report(new Error('late'), 'test')).toBeUndefined();
  });
}

function circular(): Error {
  const error = new Error('round');
  error.cause = error;
  return error;
}

function unreadable(): object {
  return new Proxy(
    {},
    {
      get() {
        throw new Error('not to be read');
      },
    },
  );
}

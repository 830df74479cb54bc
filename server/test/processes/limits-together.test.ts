/** The limits on calls and on guesses, when several processes of one database receive them. */
import { expect, test } from 'vitest';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { noMail, type OneOfSeveral, startSeveral } from '../harness/several-processes.ts';

const everyMs = 250;
const atOnce = 4;

test('calls of one address to three processes count together', async () => {
  const { processes } = await startSeveral(3);
  const headers = { 'X-Forwarded-For': '203.0.113.1' };
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, turn) =>
      call(processes[turn % 3] ?? { url: '' }, '/api/v3/session/server-info', { headers }),
    ),
  );
  const added = Math.ceil((performance.now() - began) / everyMs);
  const allowed = answers.filter(({ status }) => status === 200);
  expect(allowed.length).toBeGreaterThanOrEqual(atOnce);
  expect(allowed.length).toBeLessThanOrEqual(atOnce + added);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(60 - allowed.length);
});

let people = 0;

/** Signs in from another address each time. Returns the code of the refusal, or null. */
async function signIn(node: OneOfSeveral, email: string, password: string): Promise<string | null> {
  people += 1;
  const browser = openBrowser(node, { 'X-Forwarded-For': `198.51.100.${people}` });
  return browser.client.login({ body: { email, password } }).then(
    () => null,
    (error: unknown) => (error as { readonly code?: string }).code ?? 'no code',
  );
}

test('wrong passwords count together, also those from before a second process has started', async () => {
  const { processes, context, start } = await startSeveral(1);
  const [first] = processes;
  if (!first) throw new Error('there is no process');
  const { email } = await signUpAndIn({ url: first.url, mail: noMail, context });
  for (let count = 0; count < 6; count += 1)
    expect(await signIn(first, email, 'Wrong-Horse-7')).toBe('INVALID_CREDENTIALS');
  const second = await start();
  for (let count = 0; count < 4; count += 1)
    expect(await signIn(second, email, 'Wrong-Horse-7')).toBe('INVALID_CREDENTIALS');
  for (const node of [first, second]) expect(await signIn(node, email, goodPassword)).toBe('TOO_MANY_ATTEMPTS');
});

import { expect, test } from 'vitest';
import type { ReadLetter } from '../../../test/harness/read-eml.ts';
import { type Letter, LetterRefused, type Mail } from './mail.ts';

export interface MailEngine extends AsyncDisposable {
  readonly mail: Mail;
  /** What arrived so far, in the order in which it was sent. */
  readonly arrived: () => Promise<ReadLetter[]>;
}

export const letter: Letter = {
  to: 'ada@example.com',
  subject: 'Your code – für Ada 🐙',
  text: `Line one = 1.\n\n    123456\n\n.\nFrom here: ${'long '.repeat(300)}\nÄnd €.\n`,
  html: '<p>Your code is <b>123456</b>, Ada – für dich 🐙</p>',
  secret: '123456',
};

/** What every mail engine promises (see `Mail`). */
export function mailConformance(open: () => Promise<MailEngine>): void {
  test('a letter arrives with its recipient, subject, text and HTML', async () => {
    await using engine = await open();
    await engine.mail.send(letter, 'one');
    const [arrived, ...more] = await engine.arrived();
    expect(more).toEqual([]);
    expect(arrived?.headers.get('to')).toEqual(['ada@example.com']);
    expect(arrived?.headers.get('subject')).toEqual([letter.subject]);
    expect(arrived?.headers.get('from')?.[0]).toMatch(/^Holdfast <.+@.+>$/);
    expect(arrived?.headers.get('message-id')).toEqual([expect.stringMatching(/^<one@.+>$/)]);
    expect(arrived?.text.replaceAll('\r\n', '\n').trimEnd()).toBe(letter.text.trimEnd());
    expect(arrived?.html.trimEnd()).toBe(letter.html);
  });

  test('letters sent side by side all arrive', async () => {
    await using engine = await open();
    const people = Array.from({ length: 20 }, (_, at) => `person${at}@example.com`);
    await Promise.all(people.map((to, at) => engine.mail.send({ ...letter, to }, `letter-${at}`)));
    const arrived = await engine.arrived();
    expect(arrived.flatMap(({ headers }) => headers.get('to') ?? []).toSorted()).toEqual(people.toSorted());
  });

  test('a letter that is sent twice has one Message-ID', async () => {
    await using engine = await open();
    await engine.mail.send(letter, 'one');
    await engine.mail.send(letter, 'one');
    await engine.mail.send(letter, 'two');
    const ids = (await engine.arrived()).flatMap(({ headers }) => headers.get('message-id') ?? []);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(2);
  });

  test.each([
    'ada@example.com, eve@example.com',
    'ada@example.com;eve@example.com',
    'ada@example.com eve@example.com',
    'Eve <eve@example.com>',
    '"ada@example.com"@example.com',
    'ada@example.com (eve@example.com)',
    'friends: ada@example.com, eve@example.com;',
    'ada@example.com\r\nRCPT TO:<eve@example.com>',
    'ada@example.com\u0000',
    'ada',
    '',
  ])('%j is not one plain address and gets nothing, now or later', async (to) => {
    await using engine = await open();
    await expect(engine.mail.send({ ...letter, to }, 'one')).rejects.toThrow(LetterRefused);
    expect(await engine.arrived()).toEqual([]);
  });

  test.each([
    ['subject', { subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nInjected' }],
    ['recipient', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
  ])('a line break in the %s adds no header and no recipient', async (_where, change) => {
    await using engine = await open();
    // Refusing such a letter is as good as sending it harmless.
    await engine.mail.send({ ...letter, ...change }, 'one').catch(() => {});
    for (const { headers, text } of await engine.arrived()) {
      expect(headers.get('bcc')).toBeUndefined();
      expect(headers.get('to')).toHaveLength(1);
      expect(text).not.toMatch(/^Injected/);
    }
  });
}

import { expect, test } from 'vitest';
import type { Letter, Mail } from './mail.ts';

/** A letter as it reached whoever reads it: header names in lower case, everything decoded. */
export interface ReadLetter {
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly text: string;
  readonly html: string;
}

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
    await engine.mail.send(letter);
    const [arrived, ...more] = await engine.arrived();
    expect(more).toEqual([]);
    expect(arrived?.headers.get('to')).toEqual(['ada@example.com']);
    expect(arrived?.headers.get('subject')).toEqual([letter.subject]);
    expect(arrived?.headers.get('from')?.[0]).toMatch(/^Holdfast <.+@.+>$/);
    expect(arrived?.headers.get('message-id')).toHaveLength(1);
    expect(arrived?.text.replaceAll('\r\n', '\n').trimEnd()).toBe(letter.text.trimEnd());
    expect(arrived?.html.trimEnd()).toBe(letter.html);
  });

  test('letters sent side by side all arrive', async () => {
    await using engine = await open();
    const people = Array.from({ length: 20 }, (_, at) => `person${at}@example.com`);
    await Promise.all(people.map((to) => engine.mail.send({ ...letter, to })));
    const arrived = await engine.arrived();
    expect(arrived.flatMap(({ headers }) => headers.get('to') ?? []).toSorted()).toEqual(people.toSorted());
  });

  test.each([
    ['subject', { subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nInjected' }],
    ['recipient', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
  ])('a line break in the %s adds no header and no recipient', async (_where, change) => {
    await using engine = await open();
    // Refusing such a letter is as good as sending it harmless.
    await engine.mail.send({ ...letter, ...change }).catch(() => {});
    for (const { headers, text } of await engine.arrived()) {
      expect(headers.get('bcc')).toBeUndefined();
      expect(headers.get('to')).toHaveLength(1);
      expect(text).not.toMatch(/^Injected/);
    }
  });
}
